//! Finds places in a YAML text: the parser is led there and made to fail, as only its errors have a
//! line.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use std::collections::BTreeSet;
use std::fmt;

/// Walks through a document and keeps nothing of it. With a path the walk fails at the place that
/// the path names; without one it goes everywhere, and fails at the first name that stands twice in
/// a section, since one of the two values would be lost.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    /// What is left of the path: names, and places in lists counted from 0.
    pub path: Option<&'a [&'a str]>,
}

impl<'a> Walk<'a> {
    /// Returns the walk below this name or place; `None` if the path leads elsewhere.
    fn below(self, step: &str) -> Option<Self> {
        match self.path {
            None => Some(self),
            Some([first, rest @ ..]) if *first == step => Some(Self { path: Some(rest) }),
            Some(_) => None,
        }
    }

    /// Fails if the path ends here.
    fn arrive<E: Error>(self) -> Result<(), E> {
        if self.path.is_some_and(<[&str]>::is_empty) { Err(E::custom("here")) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.arrive()?;
        let mut seen = BTreeSet::new();
        let mut judge = |key: &str| match self.path {
            Some([last]) => (key == *last).then(|| "here".to_owned()),
            Some(_) => None,
            None => (!seen.insert(key.to_owned())).then(|| format!("duplicate field `{key}`")),
        };
        while let Some(key) = map.next_key_seed(Key(&mut judge))? {
            match self.below(&key) {
                Some(walk) => map.next_value_seed(walk)?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.arrive()?;
        for nth in 0_usize.. {
            let next = match self.below(&nth.to_string()) {
                Some(walk) => list.next_element_seed(walk)?,
                None => list.next_element::<IgnoredAny>()?.map(|_| ()),
            };
            if next.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        tagged.variant::<IgnoredAny>()?.1.newtype_variant_seed(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.arrive()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.arrive()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.arrive()
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.arrive()
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.arrive()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.arrive()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.arrive()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.arrive()
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.arrive()
    }
}

/// A name in a section, as it is written. Fails there with what the judge has against it.
struct Key<'a>(&'a mut dyn FnMut(&str) -> Option<String>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<String, D::Error> {
        // A number that is a name is compared as it is written.
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        (self.0)(key).map_or_else(|| Ok(key.to_owned()), |why| Err(E::custom(why)))
    }
}
