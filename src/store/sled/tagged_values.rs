//! Several values in one byte string, each under a tag: tag, length and bytes, in ascending order
//! of tags.

use crate::store::StoreError;
use crate::store::keys::KeyReader;
use std::borrow::Cow;

/// Values under their tags, as one byte string in the form in which they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TaggedValues<'a>(Cow<'a, [u8]>);

impl<'a> TaggedValues<'a> {
    /// Parses the stored form. Fails with [`StoreError::Damaged`] if it is cut off.
    pub(crate) fn parse(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, StoreError> {
        let all = Self(bytes.into());
        let mut parts = KeyReader(&all.0);
        while !parts.0.is_empty() {
            read_next(&mut parts)?;
        }
        Ok(all)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Iterates over the tags and their values, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u8, &[u8])> {
        let mut parts = KeyReader(&self.0);
        // No error occurs here, because `parse` has read all values.
        std::iter::from_fn(move || read_next(&mut parts).ok())
    }

    pub(crate) fn get(&self, tag: u8) -> Option<&[u8]> {
        self.iter().find(|(at, _)| *at == tag).map(|(_, value)| value)
    }

    /// Sets the value under a tag. Returns the old value. Fails if the new value is 4 GiB or
    /// longer.
    pub(crate) fn set(&mut self, tag: u8, value: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.replace(tag, Some(value))
    }

    /// Removes the value under a tag, and returns it.
    pub(crate) fn remove(&mut self, tag: u8) -> Result<Option<Vec<u8>>, StoreError> {
        self.replace(tag, None)
    }

    fn replace(&mut self, tag: u8, value: Option<&[u8]>) -> Result<Option<Vec<u8>>, StoreError> {
        let before = self.get(tag).map(<[u8]>::to_vec);
        let others = self.iter().filter(|(at, _)| *at != tag);
        let mut all: Vec<_> = others.chain(value.map(|value| (tag, value))).collect();
        all.sort_unstable_by_key(|(at, _)| *at);
        let mut bytes = Vec::with_capacity(self.0.len());
        for (at, value) in all {
            let length = u32::try_from(value.len()).map_err(StoreError::damaged)?;
            bytes.push(at);
            bytes.extend(length.to_be_bytes());
            bytes.extend(value);
        }
        self.0 = Cow::Owned(bytes);
        Ok(before)
    }
}

fn read_next<'a>(parts: &mut KeyReader<'a>) -> Result<(u8, &'a [u8]), StoreError> {
    let (tag, length) = (parts.read_u8()?, parts.read_u32()?);
    Ok((tag, parts.read_bytes(length as usize)?))
}
