//! What the tables of a model promise each other.
//!
//! Rule.    Ids ascend, none above the highest. A merge names ids of tokens, and its result is as long
//!          as its parts, the prefix of the right one left out.
//! Cost.    One step an id, three look-ups a merge: by row; behind a hole in the ids by halving.

/// The columns of a model; None stands for ids that are the rows, and for no merges.
pub struct Promised<'a> {
    /// Where tokens end, as in `Strings`.
    pub offsets: &'a [i64],
    /// The id of each row.
    pub ids: Option<&'a [u32]>,
    /// The highest id that may be.
    pub highest: u32,
    /// The ids of left part, right part and result of each merge.
    pub merges: Option<[&'a [u32]; 3]>,
    /// The length of what a right part has and the result has not.
    pub prefix: i64,
}

impl Promised<'_> {
    /// The first promise that is broken, in words.
    pub fn broken(&self) -> Option<String> {
        let rows = self.offsets.len().saturating_sub(1);
        if self.ids.is_some_and(|ids| !ids.windows(2).all(|pair| pair[0] < pair[1])) {
            return Some("ids must ascend and none may stand twice".to_owned());
        }
        let last = self.ids.map_or(rows.checked_sub(1).map(|row| row as u64), |ids| {
            ids.last().map(|&id| u64::from(id))
        });
        match last {
            Some(last) if last > u64::from(self.highest) => Some(format!(
                "the id {last} is too high; the highest that may be is {}",
                self.highest
            )),
            _ => self.broken_merge(),
        }
    }

    fn broken_merge(&self) -> Option<String> {
        let columns = self.merges?;
        for (name, column) in ["left", "right", "result"].into_iter().zip(columns) {
            let is_none = |&id: &u32| self.row(id).is_none();
            if let Some(merge) = column.iter().position(is_none) {
                let id = column[merge];
                return Some(format!("merge {merge} has {name} {id}, which is no id of a token"));
            }
        }
        let [left, right, result] = columns;
        let parts = left.iter().zip(right).zip(result);
        let is_wrong = |((&left, &right), &result): ((&u32, &u32), &u32)| {
            self.length(left) + self.length(right) - self.prefix != self.length(result)
        };
        let wrong = parts.map(is_wrong).position(|is_wrong| is_wrong)?;
        Some(format!("merge {wrong}: the result is not as long as its two parts"))
    }

    fn row(&self, id: u32) -> Option<usize> {
        match self.ids {
            None => Some(id as usize).filter(|&row| row + 1 < self.offsets.len()),
            Some(ids) if ids.get(id as usize) == Some(&id) => Some(id as usize),
            Some(ids) => ids.binary_search(&id).ok(),
        }
    }

    fn length(&self, id: u32) -> i64 {
        self.row(id).map_or(0, |row| self.offsets[row + 1] - self.offsets[row])
    }
}

#[cfg(test)]
mod tests {
    use super::Promised;

    /// Ids, merges, what is said of them.
    type Row<'a> = (Option<&'a [u32]>, [&'a [u32]; 3], &'a str);

    #[test]
    fn what_is_broken_is_said() {
        let offsets = [0, 1, 2, 4];
        let good = |ids, merges| Promised { offsets: &offsets, ids, highest: 9, merges, prefix: 0 };
        assert_eq!(good(None, Some([&[0], &[1], &[2]])).broken(), None);
        assert_eq!(good(Some(&[3, 5, 9]), Some([&[3], &[5], &[9]])).broken(), None);
        let rows: [Row; 5] = [
            (Some(&[1, 1, 2]), [&[]; 3], "ids must ascend and none may stand twice"),
            (Some(&[1, 2, 10]), [&[]; 3], "the id 10 is too high; the highest that may be is 9"),
            (None, [&[0], &[3], &[2]], "merge 0 has right 3, which is no id of a token"),
            (
                Some(&[3, 5, 9]),
                [&[3], &[5], &[8]],
                "merge 0 has result 8, which is no id of a token",
            ),
            (
                None,
                [&[0, 0], &[1, 1], &[2, 1]],
                "merge 1: the result is not as long as its two parts",
            ),
        ];
        for (ids, merges, message) in rows {
            assert_eq!(good(ids, Some(merges)).broken().as_deref(), Some(message));
        }
    }
}
