//! The tables of JSON files as programs write them.
//!
//! Rule.    Strings with or without escapes, whole numbers without a sign, white space anywhere.
//!          Where anything is otherwise, the answer is None: the readers for all JSON take over, and
//!          say what is wrong.
//! Cost.    A step a byte; no string is made but by the escapes in it.

use std::collections::HashSet;

use super::nesting;
use crate::collections::strings::Strings;
use crate::without::{Technique, without};

/// JSON, and how far it is read.
struct Plain<'j> {
    json: &'j [u8],
    at: usize,
}

/// An object of token and number, in its order.
pub fn vocab(json: &[u8]) -> Option<(Strings, Vec<u32>)> {
    let mut tokens = Strings::with_capacity(json.len() / 16, json.len() / 2);
    let mut ids = Vec::with_capacity(json.len() / 16);
    let mut plain = Plain::of_text(json)?;
    plain.each(*b"{}", |plain| {
        plain.string(&mut tokens.data)?;
        tokens.close();
        plain.take(b':')?;
        ids.push(plain.number()?);
        Some(())
    })?;
    plain.end()?;
    Some((tokens, ids))
}

/// An array of `[left, right]`: all parts in turn, UTF-8 or not.
pub fn pairs(json: &[u8]) -> Option<Strings> {
    let mut parts = Strings::with_capacity(json.len() / 16, json.len() / 2);
    let mut plain = Plain { json, at: 0 };
    plain.each(*b"[]", |plain| {
        for before in *b"[," {
            plain.take(before)?;
            plain.string(&mut parts.data)?;
            parts.close();
        }
        plain.take(b']')
    })?;
    plain.end()?;
    Some(parts)
}

/// An array of `"left right"`: all parts in turn, UTF-8 or not.
pub fn joined(json: &[u8]) -> Option<Strings> {
    let mut parts = Strings::with_capacity(json.len() / 8, json.len());
    let mut plain = Plain { json, at: 0 };
    let mut line = Vec::new();
    plain.each(*b"[]", |plain| {
        line.clear();
        plain.string(&mut line)?;
        let space = line.iter().position(|&byte| byte == b' ')?;
        let (left, right) = (&line[..space], &line[space + 1..]);
        if right.contains(&b' ') || line.starts_with(b"#version") {
            return None;
        }
        parts.push(left);
        parts.push(right);
        Some(())
    })?;
    plain.end()?;
    Some(parts)
}

/// The keys of an object with the places of their values.
pub fn places(json: &[u8]) -> Option<Vec<(String, usize, usize)>> {
    let (mut plain, mut places) = (Plain { json, at: 0 }, Vec::new());
    let mut seen = HashSet::new();
    plain.each(*b"{}", |plain| {
        let mut key = Vec::new();
        plain.string(&mut key)?;
        let key = String::from_utf8(key).ok()?;
        plain.take(b':')?;
        plain.skip_space();
        let start = plain.at;
        plain.skip_value()?;
        if !seen.insert(key.clone()) {
            return None;
        }
        places.push((key, start, plain.at));
        Some(())
    })?;
    plain.end()?;
    Some(places)
}

impl<'j> Plain<'j> {
    /// JSON that is all UTF-8.
    fn of_text(json: &'j [u8]) -> Option<Self> {
        std::str::from_utf8(json).ok()?;
        Some(Self { json, at: 0 })
    }

    fn peek(&self) -> Option<u8> {
        self.json.get(self.at).copied()
    }

    #[inline]
    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Takes a byte, and white space before it.
    #[inline]
    fn take(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        self.takes(byte).then_some(())
    }

    #[inline]
    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// Takes what stands in two brackets, one member at a time.
    #[inline]
    fn each(
        &mut self,
        brackets: [u8; 2],
        mut member: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        if without(Technique::PlainJson) {
            return None;
        }
        self.take(brackets[0])?;
        self.skip_space();
        if self.takes(brackets[1]) {
            return Some(());
        }
        loop {
            member(self)?;
            self.skip_space();
            if !self.takes(b',') {
                return self.take(brackets[1]);
            }
        }
    }

    /// Takes white space up to the end.
    fn end(&mut self) -> Option<()> {
        self.skip_space();
        (self.at == self.json.len()).then_some(())
    }

    /// Takes a string and appends its content.
    #[inline]
    fn string(&mut self, out: &mut Vec<u8>) -> Option<()> {
        self.take(b'"')?;
        let start = self.at;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => return self.escaped(start, out),
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
        out.extend_from_slice(&self.json[start..self.at]);
        self.at += 1;
        Some(())
    }

    /// The same where there are escapes, the first one here.
    fn escaped(&mut self, start: usize, out: &mut Vec<u8>) -> Option<()> {
        while !self.takes(b'"') {
            self.at += if self.peek()? == b'\\' { 2 } else { 1 };
        }
        let string: String = serde_json::from_slice(&self.json[start - 1..self.at]).ok()?;
        out.extend_from_slice(string.as_bytes());
        Some(())
    }

    /// Takes a whole number.
    #[inline]
    fn number(&mut self) -> Option<u32> {
        self.skip_space();
        let start = self.at;
        let mut number = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let digits = &self.json[start..self.at];
        let is_plain = matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.len() <= 10;
        u32::try_from(number).ok().filter(|_| is_plain)
    }

    /// Goes behind a value, whatever it is.
    fn skip_value(&mut self) -> Option<()> {
        match self.peek()? {
            b'[' | b'{' => self.at = nesting::end(self.json, self.at)?,
            b'"' => self.string(&mut Vec::new())?,
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
                let length = self.json[self.at..].iter().position(is_end)?;
                self.at += length;
                (length > 0).then_some(())?;
            }
        }
        Some(())
    }
}
