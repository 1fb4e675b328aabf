//! A binary heap whose order is given at each call, so that it may look things up elsewhere.

/// A heap; `before(a, b)` says that `a` comes out first. It must be the same order at every call.
pub struct Heap<T> {
    items: Vec<T>,
}

impl<T: Copy> Heap<T> {
    /// A heap of all the items at once, in linear time.
    pub fn from_vec(items: Vec<T>, before: impl Fn(&T, &T) -> bool) -> Self {
        let mut heap = Self { items };
        for index in (0..heap.items.len() / 2).rev() {
            heap.sift_down(index, &before);
        }
        heap
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds an item.
    pub fn push(&mut self, item: T, before: impl Fn(&T, &T) -> bool) {
        let mut index = self.items.len();
        self.items.push(item);
        while index > 0 {
            let parent = (index - 1) / 2;
            if !before(&item, &self.items[parent]) {
                break;
            }
            self.items[index] = self.items[parent];
            index = parent;
        }
        self.items[index] = item;
    }

    /// Takes the first item out.
    pub fn pop(&mut self, before: impl Fn(&T, &T) -> bool) -> Option<T> {
        let first = *self.items.first()?;
        let last = self.items.pop()?;
        if !self.items.is_empty() {
            self.items[0] = last;
            self.sift_down(0, &before);
        }
        Some(first)
    }

    fn sift_down(&mut self, mut index: usize, before: &impl Fn(&T, &T) -> bool) {
        let item = self.items[index];
        loop {
            let mut child = 2 * index + 1;
            if child >= self.items.len() {
                break;
            }
            if child + 1 < self.items.len() && before(&self.items[child + 1], &self.items[child]) {
                child += 1;
            }
            if !before(&self.items[child], &item) {
                break;
            }
            self.items[index] = self.items[child];
            index = child;
        }
        self.items[index] = item;
    }
}

#[cfg(test)]
mod tests {
    use super::Heap;

    #[test]
    fn comes_out_in_order() {
        let less = |a: &u32, b: &u32| a < b;
        let mut heap = Heap::from_vec(vec![5, 3, 9, 1], less);
        for item in [7, 0, 4] {
            heap.push(item, less);
        }
        let mut out = Vec::new();
        while let Some(item) = heap.pop(less) {
            out.push(item);
        }
        assert_eq!(out, [0, 1, 3, 4, 5, 7, 9]);
    }
}
