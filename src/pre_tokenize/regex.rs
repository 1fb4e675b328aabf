//! Regexes that have no scanner.
//!
//! Rule.    From each place the match that a backtracking engine would prefer; the next search begins
//!          where it ended. An empty match does not follow another match directly.
//! Cost.    Without look-around a lazy automaton runs forward from each place, and where it ran on in
//!          vain it is noted in which state it stood where, so that no later search walks the same
//!          way again: linear in the text (`a+b|.` on a run of `a` would be quadratic otherwise),
//!          times the states that one place can be met in. With look-around a backtracking engine.
//!          Both under a budget of steps for each text (`budget.rs`).
//! Source.  Reps 1998, "Maximal-munch" tokenization in linear time, for the notes.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use fancy_regex::Expr;
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::{Anchored, Input, MatchKind};

use super::backtrack::Backtracker;
use super::budget::Budget;
use crate::error::{Error, Result};

/// Notes are taken from this many bytes behind the last match on, and at every such byte.
const STRIDE: usize = 64;
/// Memory of the lazy automaton; beyond it, its states are forgotten and made anew.
const AUTOMATON_BYTES: usize = 8 << 20;
/// The automaton before it is lazy; a regex that repeats more is refused.
const NFA_BYTES: usize = 16 << 20;
/// At most so many notes are kept; then they are taken anew.
const MOST_NOTES: usize = 1 << 21;

/// A regex that finds its matches in a text.
pub enum Regex {
    /// Without look-around.
    Plain(Box<Automaton>),
    /// With.
    Backtracking(Backtracker),
}

/// A lazy automaton with the memory that its searches share.
pub struct Automaton {
    dfa: DFA,
    caches: Mutex<Vec<Cache>>,
}

impl Regex {
    /// Compiles a regex in the dialect of the readable engine.
    pub fn new(regex: &str) -> Result<Self> {
        let not_run = |error: &dyn std::fmt::Display| {
            let shown: String = regex.chars().take(80).collect();
            Error::Option(format!(
                "the pattern {shown:?} is not a regex that kugiri can run: {error}; \
                 name one of patterns.PATTERNS or mend it"
            ))
        };
        let tree = Expr::parse_tree(regex).map_err(|error| not_run(&error))?;
        if repeats_the_empty(&tree.expr) {
            return Err(not_run(
                &"it repeats without end what may be empty, which no two engines do alike",
            ));
        }
        if !is_plain(&tree.expr) {
            let backtracker = Backtracker::new(&tree.expr).map_err(|error| not_run(&error))?;
            return Ok(Self::Backtracking(backtracker));
        }
        let mut plain = String::new();
        tree.expr.to_str(&mut plain, 0);
        let config = DFA::config()
            .match_kind(MatchKind::LeftmostFirst)
            .cache_capacity(AUTOMATON_BYTES)
            .skip_cache_capacity_check(true);
        let limits = thompson::Config::new().nfa_size_limit(Some(NFA_BYTES));
        let dfa = DFA::builder().configure(config).thompson(limits).build(&plain);
        let dfa = dfa.map_err(|error| not_run(&error))?;
        Ok(Self::Plain(Box::new(Automaton { dfa, caches: Mutex::default() })))
    }

    /// Calls `found` with each match, in order.
    pub fn find(
        &self,
        text: &str,
        stop: Option<&AtomicBool>,
        found: impl FnMut(Range<usize>),
    ) -> Result<()> {
        let mut budget = Budget::of(text, stop);
        match self {
            Self::Plain(automaton) => automaton.find(text, &mut budget, found),
            Self::Backtracking(backtracker) => {
                each_match(text, found, |at| backtracker.longest(text, at, &mut budget))
            }
        }
    }
}

impl Automaton {
    fn find(&self, text: &str, budget: &mut Budget, found: impl FnMut(Range<usize>)) -> Result<()> {
        // A lock that cannot be had at once is not waited for: there is simply a new cache.
        let kept = self.caches.try_lock().ok().and_then(|mut caches| caches.pop());
        let mut cache = kept.unwrap_or_else(|| self.dfa.create_cache());
        let mut search =
            Search { dfa: &self.dfa, text, cache: &mut cache, dead_ends: HashSet::new() };
        let result = each_match(text, found, |at| search.longest(at, budget));
        if let Ok(mut caches) = self.caches.try_lock() {
            caches.push(cache);
        }
        result
    }
}

/// The search for the matches of one text.
struct Search<'a> {
    dfa: &'a DFA,
    text: &'a str,
    cache: &'a mut Cache,
    /// From these states at these places on, no match ends.
    dead_ends: HashSet<(LazyStateID, usize)>,
}

impl Search<'_> {
    /// Where the match that begins at a place ends.
    fn longest(&mut self, start: usize, budget: &mut Budget) -> Result<Option<usize>> {
        let text = self.text.as_bytes();
        let input = Input::new(text).anchored(Anchored::Yes).range(start..);
        let mut clears = self.cache.clear_count();
        let failed = |_| Error::Encoding("the split pattern needs too many states".into());
        let mut state = self.dfa.start_state_forward(self.cache, &input).map_err(failed)?;
        let (mut end, mut since, mut reached) = (None, start, start);
        let mut seen: Vec<(LazyStateID, usize)> = Vec::new();
        for at in start..=text.len() {
            reached = at;
            // A match shows one step late: the state after the byte behind it says so.
            let next = match text.get(at) {
                Some(&byte) => self.dfa.next_state(self.cache, state, byte),
                None => self.dfa.next_eoi_state(self.cache, state),
            };
            state = next
                .map_err(|_| Error::Encoding("the split pattern needs too many states".into()))?;
            if self.cache.clear_count() != clears {
                // States have new numbers now.
                clears = self.cache.clear_count();
                self.dead_ends.clear();
                seen.clear();
            }
            if state.is_match() {
                (end, since) = (Some(at), at);
                seen.clear();
            } else if state.is_dead() || state.is_quit() {
                break;
            }
            if at >= since + STRIDE && at % STRIDE == 0 {
                if self.dead_ends.contains(&(state, at)) {
                    break;
                }
                seen.push((state, at));
            }
        }
        budget.spend(reached - start + 1)?;
        if self.dead_ends.len() > MOST_NOTES {
            self.dead_ends.clear();
        }
        self.dead_ends.extend(seen);
        Ok(end)
    }
}

/// Calls `found` with each match; `longest` says where the one that begins at a place ends.
fn each_match(
    text: &str,
    mut found: impl FnMut(Range<usize>),
    mut longest: impl FnMut(usize) -> Result<Option<usize>>,
) -> Result<()> {
    let (mut at, mut last_end) = (0, None);
    while at <= text.len() {
        match longest(at)? {
            Some(end) if end > at => {
                found(at..end);
                (at, last_end) = (end, Some(end));
            }
            empty => {
                // An empty match directly behind another is none.
                if empty.is_some() && last_end != Some(at) {
                    found(at..at);
                    last_end = Some(at);
                }
                at = after(text, at);
            }
        }
    }
    Ok(())
}

/// The place behind the character at a place; behind the end of the text, one more.
fn after(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
}

/// Whether an automaton can run it: nothing in it looks around or back.
fn is_plain(expr: &Expr) -> bool {
    let is_part = matches!(
        expr,
        Expr::Empty
            | Expr::Any { .. }
            | Expr::Literal { .. }
            | Expr::Delegate { .. }
            | Expr::Concat(_)
            | Expr::Alt(_)
            | Expr::Group(_)
            | Expr::Repeat { .. }
    );
    is_part && expr.children_iter().all(is_plain)
}

/// Whether something that may take nothing is repeated without end.
fn repeats_the_empty(expr: &Expr) -> bool {
    matches!(expr, Expr::Repeat { child, hi: usize::MAX, .. } if may_be_empty(child))
        || expr.children_iter().any(repeats_the_empty)
}

fn may_be_empty(expr: &Expr) -> bool {
    match expr {
        Expr::Any { .. } | Expr::Delegate { .. } => false,
        Expr::Literal { val, .. } => val.is_empty(),
        Expr::Concat(parts) => parts.iter().all(may_be_empty),
        Expr::Alt(ways) => ways.iter().any(may_be_empty),
        Expr::Group(inner) => may_be_empty(inner),
        Expr::AtomicGroup(inner) => may_be_empty(inner),
        Expr::Repeat { child, lo, .. } => *lo == 0 || may_be_empty(child),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::Regex;

    fn matches(regex: &str, text: &str) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let regex = Regex::new(regex).unwrap();
        regex.find(text, None, |range| found.push((range.start, range.end))).unwrap();
        found
    }

    #[test]
    fn the_preferred_match_and_not_the_longest() {
        assert_eq!(matches("a|ab", "abab"), [(0, 1), (2, 3)]);
        assert_eq!(matches("a+?", "aaa"), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(matches("(a)(b)?", "aba"), [(0, 2), (2, 3)]);
        assert_eq!(matches("x*", "axb"), [(0, 0), (1, 2), (3, 3)]);
        assert_eq!(matches("猫+|.", "猫猫犬"), [(0, 6), (6, 9)]);
        assert_eq!(matches("a(?=b)|b", "aab"), [(1, 2), (2, 3)]);
        assert_eq!(
            matches(r"\s+(?!\S)|\s+|\S+", "a  b "),
            [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
        );
        assert_eq!(matches("(?<=a|ab)c", "acabcbc"), [(1, 2), (4, 5)]);
        assert_eq!(matches(r"(?<!a)b", "abb"), [(2, 3)]);
        assert_eq!(matches(r"(?>a|ab)c|b", "abc"), [(1, 2)]);
        assert_eq!(matches(r"\bab?\b", "a ab abb 猫a"), [(0, 1), (2, 4)]);
        assert_eq!(matches(r"(?m)^a$", "a\na\nb"), [(0, 1), (2, 3)]);
        assert_eq!(matches(r"(?i:k)(?!x)", "kK\u{212a}Kx"), [(0, 1), (1, 2), (2, 5)]);
    }

    #[test]
    fn what_engines_disagree_on_is_refused() {
        for regex in ["(?:a*)*", "(?:a|b??)+", r"(?:\b)*", "(?:(?=a)b?)+"] {
            assert!(Regex::new(regex).is_err(), "{regex}");
        }
    }

    #[test]
    fn a_million_characters_that_promise_a_match() {
        for regex in ["a+b|.", "(?:a|aa)+b|a", "(?:aa)+b|(?:aaa)+c|."] {
            assert_eq!(matches(regex, &"a".repeat(1_000_000)).len(), 1_000_000, "{regex}");
        }
        let text = "ア".repeat(300_000);
        assert_eq!(matches(r"\p{L}+!|\p{L}", &text).len(), 300_000);
    }

    #[test]
    fn patterns_made_to_be_slow_end_in_an_error() {
        let long = "a".repeat(60_000);
        let many = ["2", "3", "5", "7", "11", "13"].map(|n| format!("(?:a{{{n}}})+b")).join("|");
        let lazy = "(?:(?:x??){300}a)+(?!z)";
        for (regex, text) in
            [(&many[..], &long), (lazy, &long), (r"\Z(?!q)x|\n", &"\n".repeat(60_000))]
        {
            let error = Regex::new(regex).unwrap().find(text, None, |_| {}).unwrap_err();
            assert!(error.to_string().contains("goes back too often"), "{regex}: {error}");
        }
    }

    #[test]
    fn patterns_made_to_be_large_are_refused() {
        for regex in [
            r"(?:\p{L}{1000}){1000}",
            r"(?:(?:a{1000}){1000}){1000}",
            r"(?:\p{L}{1000}){1000}(?!a)",
        ] {
            assert!(Regex::new(regex).is_err(), "{regex}");
        }
    }

    #[test]
    fn a_budget_for_the_text_and_not_for_each_match() {
        let regex = Regex::new("(?=(?:a|aa)+b)a|a").unwrap();
        let error = regex.find(&"a".repeat(100_000), None, |_| {}).unwrap_err();
        assert!(error.to_string().contains("goes back too often"), "{error}");
    }
}
