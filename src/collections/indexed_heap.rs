//! A binary heap whose items know where they are, so that one may change while it waits.

/// No place.
const NOWHERE: u32 = u32::MAX;

/// Items by number; `before(a, b)` says that `a` comes first. It must be the same order at every
/// call.
pub struct IndexedHeap<T> {
    items: Vec<(u32, T)>,
    /// By number, where the item is in the heap.
    places: Vec<u32>,
}

impl<T> Default for IndexedHeap<T> {
    fn default() -> Self {
        Self { items: Vec::new(), places: Vec::new() }
    }
}

impl<T: Copy> IndexedHeap<T> {
    /// The number of the first item.
    pub fn first(&self) -> Option<u32> {
        self.items.first().map(|&(number, _)| number)
    }

    /// Puts an item in, or in the place of the one that has its number.
    pub fn set(&mut self, number: u32, item: T, before: impl Fn(&T, &T) -> bool) {
        let index = number as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, NOWHERE);
        }
        if self.places[index] == NOWHERE {
            self.places[index] = self.items.len() as u32;
            self.items.push((number, item));
        }
        self.settle(self.places[index] as usize, (number, item), &before);
    }

    /// Takes an item out, if it is in.
    pub fn remove(&mut self, number: u32, before: impl Fn(&T, &T) -> bool) {
        let Some(place) = self.places.get_mut(number as usize) else { return };
        let place = std::mem::replace(place, NOWHERE) as usize;
        if place == NOWHERE as usize {
            return;
        }
        if let Some(last) = self.items.pop()
            && last.0 != number
        {
            self.settle(place, last, &before);
        }
    }

    /// Finds the place of an item that is to stand at or above or below a place that is free.
    fn settle(&mut self, mut place: usize, item: (u32, T), before: &impl Fn(&T, &T) -> bool) {
        while place > 0 && before(&item.1, &self.items[(place - 1) / 2].1) {
            self.put(place, self.items[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        loop {
            let mut child = 2 * place + 1;
            if child >= self.items.len() {
                break;
            }
            let other = child + 1;
            if other < self.items.len() && before(&self.items[other].1, &self.items[child].1) {
                child = other;
            }
            if !before(&self.items[child].1, &item.1) {
                break;
            }
            self.put(place, self.items[child]);
            place = child;
        }
        self.put(place, item);
    }

    fn put(&mut self, place: usize, item: (u32, T)) {
        self.items[place] = item;
        self.places[item.0 as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::IndexedHeap;

    #[test]
    fn items_change_while_they_wait() {
        let less = |a: &u32, b: &u32| a < b;
        let mut heap = IndexedHeap::default();
        for (number, item) in [5, 3, 9, 1, 7].into_iter().enumerate() {
            heap.set(number as u32, item, less);
        }
        heap.set(3, 8, less);
        heap.set(2, 0, less);
        heap.remove(4, less);
        heap.remove(4, less);
        heap.remove(99, less);
        let mut out = Vec::new();
        while let Some(number) = heap.first() {
            out.push(number);
            heap.remove(number, less);
        }
        assert_eq!(out, [2, 1, 0, 3]);
    }
}
