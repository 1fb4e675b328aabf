//! Post-processing: special tokens around a text, where the tokenizer's file asks for them.
//!
//! Rule.    A template says what stands before and after the tokens of the text. ByteLevel trims
//!          spans in tokenizers and leaves ids alone, so here it does nothing.
//! Cost.    One step a token that is put in.

use serde_json::Value;

use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::{Config, kind, not_run};

/// A hostile file must not double itself without end.
const LONGEST: usize = 10_000;

/// A part of the template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text,
    Token(u32),
}

/// The template for one text.
pub struct PostProcessor {
    template: Vec<Part>,
}

impl PostProcessor {
    /// Builds the template of a spec.
    pub fn new(config: &Config) -> Result<Self> {
        Ok(Self { template: template(config.part("post_processor"))? })
    }

    /// Puts what the template says around what `encode` gives to the sink.
    #[inline]
    pub fn around<S: Sink>(
        &self,
        add_special_tokens: bool,
        out: &mut S,
        mut encode: impl FnMut(&mut S) -> Result<()>,
    ) -> Result<()> {
        if !add_special_tokens {
            return encode(out);
        }
        for part in &self.template {
            match part {
                Part::Text => encode(out)?,
                Part::Token(id) => out.inserted(*id),
            }
        }
        Ok(())
    }
}

fn template(component: &Value) -> Result<Vec<Part>> {
    match kind(component) {
        "" | "ByteLevel" => Ok(vec![Part::Text]),
        "Sequence" => {
            let mut whole = vec![Part::Text];
            for inner in component["processors"].as_array().into_iter().flatten() {
                let outer = template(inner)?.into_iter();
                let fill = |part| if part == Part::Text { whole.clone() } else { vec![part] };
                whole = outer.flat_map(fill).take(LONGEST + 1).collect();
                if whole.len() > LONGEST {
                    return Err(Error::Vocabulary(format!(
                        "the templates of the post-processors put in more than {LONGEST} tokens"
                    )));
                }
            }
            Ok(whole)
        }
        "TemplateProcessing" => {
            let mut parts = Vec::new();
            for piece in component["single"].as_array().into_iter().flatten() {
                if kind(piece) == "Sequence" {
                    parts.push(Part::Text);
                } else {
                    parts.extend(ids(component, &piece["id"])?.into_iter().map(Part::Token));
                }
            }
            Ok(parts)
        }
        _ => Err(not_run("post-processor", component)),
    }
}

/// The ids that a name in a template stands for.
fn ids(component: &Value, name: &Value) -> Result<Vec<u32>> {
    let ids = component["special_tokens"][name.as_str().unwrap_or("")]["ids"].as_array();
    ids.map(|ids| ids.iter().filter_map(|id| u32::try_from(id.as_u64()?).ok()).collect())
        .ok_or_else(|| {
            Error::Vocabulary(format!(
                "the template puts in {name}, which its special_tokens do not list; add it there"
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::Part::{Text, Token};
    use super::template;
    use serde_json::json;

    #[test]
    fn templates_within_templates() {
        let around = |id: u32| {
            json!({
                "type": "TemplateProcessing",
                "single": [{"type": "SpecialToken", "id": "x"}, {"type": "Sequence", "id": "A"}],
                "special_tokens": {"x": {"id": "x", "ids": [id, id], "tokens": ["x", "x"]}},
            })
        };
        let both = json!({"type": "Sequence", "processors": [around(1), around(2)]});
        let expected = [Token(2), Token(2), Token(1), Token(1), Text];
        assert_eq!(template(&both).unwrap(), expected);
        let missing = json!({
            "type": "TemplateProcessing", "single": [{"type": "SpecialToken", "id": "y"}],
        });
        assert!(template(&missing).is_err());
    }
}
