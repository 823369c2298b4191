//! Where in a YAML text something stands: the parser is led there and made to stop.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use std::collections::BTreeSet;
use std::fmt;

/// Fails at the place that a path names, and nowhere else.
#[derive(Clone, Copy)]
pub(super) struct Probe<'a> {
    /// What is left of the path: keys, and places in lists counted from 0.
    pub path: &'a [&'a str],
}

impl<'de> DeserializeSeed<'de> for Probe<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Probe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((wanted, rest)) = self.path.split_first() else { return Err(found()) };
        let is_last = rest.is_empty();
        let mut judge = |key: String| (is_last && key == *wanted).then_some("here".to_owned());
        while let Some(key) = map.next_key_seed(Key(&mut judge))? {
            if key.as_deref() == Some(*wanted) {
                map.next_value_seed(Probe { path: rest })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Some((wanted, rest)) = self.path.split_first() else { return Err(found()) };
        let mut nth = 0_usize;
        loop {
            let next = if wanted.parse() == Ok(nth) {
                list.next_element_seed(Probe { path: rest })?
            } else {
                list.next_element::<IgnoredAny>()?.map(|_| ())
            };
            if next.is_none() {
                return Ok(());
            }
            nth += 1;
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        tagged.variant::<IgnoredAny>()?.1.newtype_variant_seed(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.scalar()
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.scalar()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.scalar()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.scalar()
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar()
    }
}

impl Probe<'_> {
    fn scalar<E: Error>(self) -> Result<(), E> {
        if self.path.is_empty() { Err(found()) } else { Ok(()) }
    }
}

fn found<E: Error>() -> E {
    E::custom("here")
}

/// Fails at the first name that stands twice in one section: of two values one would be lost.
#[derive(Clone, Copy)]
pub(super) struct NoTwins;

impl<'de> DeserializeSeed<'de> for NoTwins {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NoTwins {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = BTreeSet::new();
        let mut judge = |key: String| {
            let twice = format!("duplicate field `{key}`");
            (!seen.insert(key)).then_some(twice)
        };
        while map.next_key_seed(Key(&mut judge))?.is_some() {
            map.next_value_seed(Self)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Self)?.is_some() {}
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        tagged.variant::<IgnoredAny>()?.1.newtype_variant_seed(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        Ok(())
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A key as it is written; fails there with what the judge has against it.
struct Key<'a>(&'a mut dyn FnMut(String) -> Option<String>);

impl Key<'_> {
    fn judged<E: Error>(self, key: &str) -> Result<Option<String>, E> {
        (self.0)(key.to_owned()).map_or(Ok(Some(key.to_owned())), |why| Err(E::custom(why)))
    }
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        // A number that is a key is compared as it is written.
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        self.judged(key)
    }
}
