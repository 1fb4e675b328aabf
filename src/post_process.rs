//! Post-processing: special tokens around a text or a pair, where the tokenizer's file asks for them.
//!
//! Rule.    A post-processor is given a list of parts, first one for each text, and gives a new list.
//!          A template puts its tokens between the texts, and says the type of everything; without
//!          special tokens only the texts of it stay. Bert's and Roberta's put theirs around each
//!          part. ByteLevel and Roberta trim spans (`spans.py`), which no id depends on. A template
//!          takes one part or two; more come only from another template before it.
//! Cost.    One step a token that is put in.
//! Source.  tokenizers 0.23.3, which panics where a template is given other than one part or two.

use serde_json::Value;

use crate::encoding::Sink;
use crate::error::{Error, Result};
use crate::spec::{Config, kind, not_run};

/// A hostile file must not double itself without end.
const LONGEST: usize = 10_000;

/// One thing that stands in the result, and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    content: Content,
    type_id: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    /// All tokens of the text of this number.
    Text(usize),
    /// A token with its string.
    Token(u32, String),
}

/// The parts that the next post-processor is given.
type Parts = Vec<Vec<Item>>;

/// What stands around one text and around a pair, without special tokens and with them.
pub struct PostProcessor {
    /// None where the post-processors do not fit each other.
    layouts: [[Option<Vec<Item>>; 2]; 2],
}

impl PostProcessor {
    /// Works out the layouts of a spec.
    pub fn new(config: &Config) -> Result<Self> {
        let component = config.part("post_processor");
        let layout = |texts: usize, add: bool| layout(component, texts, add);
        Ok(Self {
            layouts: [[layout(1, false)?, layout(1, true)?], [layout(2, false)?, layout(2, true)?]],
        })
    }

    /// Puts what the layout says around what `encode` gives to the sink for each text.
    #[inline]
    pub fn around<S: Sink>(
        &self,
        add_special_tokens: bool,
        texts: usize,
        out: &mut S,
        mut encode: impl FnMut(usize, &mut S) -> Result<()>,
    ) -> Result<()> {
        let Some(layout) = &self.layouts[texts - 1][usize::from(add_special_tokens)] else {
            return Err(Error::Option(
                "a template of the post-processor is given parts that another one made, and they \
                 are not one or two; encode with add_special_tokens=False, or mend the file"
                    .into(),
            ));
        };
        for item in layout {
            match &item.content {
                Content::Text(index) => {
                    encode(*index, out)?;
                    out.part(Some(*index), item.type_id);
                }
                Content::Token(id, string) => {
                    out.inserted(*id, string);
                    out.part(None, item.type_id);
                }
            }
        }
        Ok(())
    }
}

fn layout(component: &Value, texts: usize, add: bool) -> Result<Option<Vec<Item>>> {
    let text = |index| Item { content: Content::Text(index), type_id: index as u32 };
    let parts = (0..texts).map(|index| vec![text(index)]).collect();
    Ok(processed(component, parts, add)?.map(|parts| parts.concat()))
}

fn processed(component: &Value, mut parts: Parts, add: bool) -> Result<Option<Parts>> {
    match kind(component) {
        "Sequence" => {
            for inner in component["processors"].as_array().into_iter().flatten() {
                match processed(inner, parts, add)? {
                    Some(next) => parts = next,
                    None => return Ok(None),
                }
            }
        }
        "BertProcessing" if add => {
            for (index, part) in parts.iter_mut().enumerate() {
                if index == 0 {
                    part.insert(0, named(component, "cls", 0)?);
                }
                part.push(named(component, "sep", u32::from(index > 0))?);
            }
        }
        "" | "ByteLevel" | "BertProcessing" => {}
        "RobertaProcessing" => {
            for (index, part) in parts.iter_mut().enumerate() {
                for item in part.iter_mut() {
                    item.type_id = 0;
                }
                if add {
                    let begin = if index == 0 { "cls" } else { "sep" };
                    part.insert(0, named(component, begin, 0)?);
                    part.push(named(component, "sep", 0)?);
                }
            }
        }
        "TemplateProcessing" => {
            let name = match parts.len() {
                1 => "single",
                2 => "pair",
                _ => return Ok(None),
            };
            parts = filled(component, &component[name], &parts, add)?;
        }
        _ => return Err(not_run("post-processor", component)),
    }
    if parts.iter().map(Vec::len).sum::<usize>() > LONGEST {
        return Err(Error::Vocabulary(format!(
            "the post-processors put in more than {LONGEST} tokens"
        )));
    }
    Ok(Some(parts))
}

/// A template with its parts put in.
fn filled(component: &Value, template: &Value, parts: &Parts, add: bool) -> Result<Parts> {
    let mut filled = Parts::new();
    for piece in template.as_array().into_iter().flatten() {
        let type_id = piece["type_id"].as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
        if kind(piece) == "Sequence" {
            let index = usize::from(piece["id"] == "B");
            let part = parts.get(index).ok_or_else(|| {
                Error::Vocabulary("the template for one text asks for the text B of a pair".into())
            })?;
            filled.push(part.iter().map(|item| Item { type_id, ..item.clone() }).collect());
        } else if add {
            filled.push(described(component, &piece["id"], type_id)?);
        }
    }
    Ok(filled)
}

fn token(string: &Value, id: &Value, type_id: u32) -> Result<Item> {
    let number = id.as_u64().and_then(|id| u32::try_from(id).ok());
    let (Some(id), Some(string)) = (number, string.as_str()) else {
        return Err(Error::Vocabulary(format!(
            "a token of the post-processor needs a string and an id below 2^32: {string} and {id}"
        )));
    };
    Ok(Item { content: Content::Token(id, string.into()), type_id })
}

/// `cls` or `sep`, which are a string and an id.
fn named(component: &Value, name: &str, type_id: u32) -> Result<Item> {
    token(&component[name][0], &component[name][1], type_id)
}

/// The tokens that a name in a template stands for.
fn described(component: &Value, name: &Value, type_id: u32) -> Result<Vec<Item>> {
    let tokens = &component["special_tokens"][name.as_str().unwrap_or("")];
    let (Some(ids), Some(strings)) = (tokens["ids"].as_array(), tokens["tokens"].as_array()) else {
        return Err(Error::Vocabulary(format!(
            "the template puts in {name}, which its special_tokens do not list; add it there"
        )));
    };
    strings.iter().zip(ids).map(|(string, id)| token(string, id, type_id)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Content, layout};
    use serde_json::{Value, json};

    fn shown(component: &Value, texts: usize, add: bool) -> Vec<(i64, u32)> {
        let items = layout(component, texts, add).unwrap().unwrap();
        let number = |content: &Content| match content {
            Content::Text(index) => -1 - *index as i64,
            Content::Token(id, _) => i64::from(*id),
        };
        items.iter().map(|item| (number(&item.content), item.type_id)).collect()
    }

    #[test]
    fn templates_for_one_text_and_a_pair() {
        let template = json!({
            "type": "TemplateProcessing",
            "single": [{"type": "SpecialToken", "id": "x"}, {"type": "Sequence", "id": "A"}],
            "pair": [
                {"type": "Sequence", "id": "B", "type_id": 4},
                {"type": "SpecialToken", "id": "x", "type_id": 5},
                {"type": "Sequence", "id": "A", "type_id": 3},
            ],
            "special_tokens": {"x": {"id": "x", "ids": [7, 9], "tokens": ["x", "y"]}},
        });
        assert_eq!(shown(&template, 1, true), [(7, 0), (9, 0), (-1, 0)]);
        assert_eq!(shown(&template, 1, false), [(-1, 0)]);
        assert_eq!(shown(&template, 2, true), [(-2, 4), (7, 5), (9, 5), (-1, 3)]);
        assert_eq!(shown(&template, 2, false), [(-2, 4), (-1, 3)]);
        // The first gives two parts, and so the second is asked for a pair.
        let twice = json!({"type": "Sequence", "processors": [template, template]});
        assert_eq!(shown(&twice, 1, true), [(-1, 4), (7, 5), (9, 5), (7, 3), (9, 3)]);
        assert_eq!(layout(&twice, 2, true), Ok(None));
        let missing = json!({
            "type": "TemplateProcessing", "single": [{"type": "SpecialToken", "id": "y"}],
        });
        assert!(layout(&missing, 1, true).is_err());
    }

    #[test]
    fn bert_and_roberta() {
        let bert = json!({"type": "BertProcessing", "sep": ["s", 8], "cls": ["c", 7]});
        assert_eq!(shown(&bert, 2, true), [(7, 0), (-1, 0), (8, 0), (-2, 1), (8, 1)]);
        let roberta = json!({"type": "RobertaProcessing", "sep": ["s", 8], "cls": ["c", 7]});
        let expected = [(7, 0), (-1, 0), (8, 0), (8, 0), (-2, 0), (8, 0)];
        assert_eq!(shown(&roberta, 2, true), expected);
        assert_eq!(shown(&roberta, 2, false), [(-1, 0), (-2, 0)]);
    }
}
