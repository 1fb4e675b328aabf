//! A key that stands twice in one object, however deep in a document.
//!
//! Rule.    The first one that is met. A document that is malformed has none: whoever reads it says
//!          what is wrong.
//! Cost.    One pass; the keys of the objects that are open are kept.

use std::collections::HashSet;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};

/// The first key that stands twice in one object.
pub fn repeated_key(json: &[u8]) -> Option<String> {
    let mut repeated = None;
    let mut source = serde_json::Deserializer::from_slice(json);
    let _ = Value(&mut repeated).deserialize(&mut source);
    repeated
}

/// Any value; what it holds is looked at and dropped.
struct Value<'r>(&'r mut Option<String>);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if seen.contains(&key) {
                *self.0 = Some(key);
                return Err(A::Error::custom("a key stands twice"));
            }
            seen.insert(key);
            map.next_value_seed(Value(&mut *self.0))?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<(), A::Error> {
        while row.next_element_seed(Value(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::repeated_key;

    #[test]
    fn the_first_is_found() {
        let rows = [
            (r#"{"a": 1, "b": [true, null, -1, 1.5, "x", {"c": 1, "\u0063": 2}]}"#, Some("c")),
            (r#"{"a": {"a": 1}, "b": {"a": 2}}"#, None),
            (r#"[{"a": 1}, {"a": 1}, 5]"#, None),
            (r#"{"a": 1, "a""#, Some("a")),
            ("x", None),
        ];
        for (json, expected) in rows {
            assert_eq!(repeated_key(json.as_bytes()).as_deref(), expected, "{json}");
        }
    }
}
