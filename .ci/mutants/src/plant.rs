//! Plants mutants behind switches, by inserting text into the source.
//!
//! An expression with several mutants becomes an `if` chain with one branch for each. The operands
//! in these branches are unchanged, because only one mutant is on at a time. The last branch is the
//! original expression, with the mutants inside it. Comments around each branch name its mutant, so
//! that a compiler error can be traced to it.

use crate::mutant::{Genre, Mutant, Place};
use anyhow::Context;
use proc_macro2::{LineColumn, Span};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// Text to insert before and after a part of the source.
struct SourceEdit {
    around: Range<usize>,
    before: String,
    after: String,
}

/// Plants the mutants of one file. Returns the new source, and the mutants for which no place was
/// found.
pub fn plant_mutants(source: &str, mutants: &[&Mutant]) -> anyhow::Result<(String, Vec<u32>)> {
    let file = syn::parse_file(source).context("not Rust")?;
    let mut at: HashMap<(Genre, Place), Vec<&Mutant>> = HashMap::new();
    for mutant in mutants {
        at.entry((mutant.genre, mutant.span.start)).or_default().push(mutant);
    }
    let mut planter = Planter { source, at, edits: Vec::new(), unplantable: Vec::new() };
    planter.visit_file(&file);
    let mut edits = planter.edits;
    edits
        .sort_by_key(|edit| (edit.around.start, !edit.around.is_empty(), Reverse(edit.around.end)));
    let mut text = String::new();
    apply_edits(source, 0..source.len(), &edits, &mut text);
    let left = planter.at.into_values().flatten().map(|mutant| mutant.id);
    Ok((text, left.chain(planter.unplantable).collect()))
}

/// Appends this part of the source to `text`, with its edits. An edit may contain others.
fn apply_edits(source: &str, part: Range<usize>, mut edits: &[SourceEdit], text: &mut String) {
    let mut from = part.start;
    while let [edit, rest @ ..] = edits {
        let inside = rest.iter().take_while(|other| other.around.start < edit.around.end).count();
        text.push_str(&source[from..edit.around.start]);
        text.push_str(&edit.before);
        apply_edits(source, edit.around.clone(), &rest[..inside], text);
        text.push_str(&edit.after);
        from = edit.around.end;
        edits = &rest[inside..];
    }
    text.push_str(&source[from..part.end]);
}

/// Returns the mutants of the innermost branch around this byte offset.
pub fn mutants_around(text: &str, place: usize) -> Vec<u32> {
    let mut around: Vec<&str> = Vec::new();
    for piece in text[..place].split("/*").skip(1) {
        let Some((mark, _)) = piece.split_once("*/") else { continue };
        match (mark.strip_prefix('<'), mark.strip_suffix('>')) {
            (Some(ids), None) => around.push(ids),
            (None, Some(ids)) if around.last() == Some(&ids) => drop(around.pop()),
            _ => {}
        }
    }
    around
        .last()
        .map_or(Vec::new(), |ids| ids.split(',').filter_map(|id| id.parse().ok()).collect())
}

/// Returns the mutants of the next branch after this byte offset.
pub fn mutants_behind(text: &str, place: usize) -> Vec<u32> {
    let behind = text[place..].split_once("/*<").and_then(|(_, mark)| mark.split_once("*/"));
    behind.map_or(Vec::new(), |(ids, _)| ids.split(',').filter_map(|id| id.parse().ok()).collect())
}

/// Wraps the text of one mutant in the comments that name it.
fn wrap_in_markers(id: u32, text: &str) -> String {
    format!("/*<{id}*/{text}/*{id}>*/")
}

struct Planter<'a> {
    source: &'a str,
    at: HashMap<(Genre, Place), Vec<&'a Mutant>>,
    edits: Vec<SourceEdit>,
    /// The mutants that cannot be put behind a switch.
    unplantable: Vec<u32>,
}

impl<'a> Planter<'a> {
    /// Removes and returns the mutants of this kind that begin here.
    fn take_mutants(&mut self, genre: Genre, at: LineColumn) -> Vec<&'a Mutant> {
        let place = Place { line: at.line, column: at.column + 1 };
        self.at.remove(&(genre, place)).unwrap_or_default()
    }

    fn source_text(&self, span: Span) -> &'a str {
        &self.source[span.byte_range()]
    }

    /// Adds an edit that turns an expression into an `if` chain: one branch for each mutant, and
    /// the original last.
    fn push_branches(&mut self, whole: Range<usize>, ways: &[(u32, String)]) {
        if ways.is_empty() {
            return;
        }
        let ids: Vec<String> = ways.iter().map(|(id, _)| id.to_string()).collect();
        let ids = ids.join(",");
        let branches: String = ways
            .iter()
            .map(|(id, way)| {
                format!("if crate::switch::on({id}) {{{}}} else ", wrap_in_markers(*id, way))
            })
            .collect();
        let before = format!("(/*<{ids}*/{branches}{{");
        self.edits.push(SourceEdit { around: whole, before, after: format!("}}/*{ids}>*/)") });
    }

    /// Plants the mutants that return a fixed value at the beginning of a function.
    fn plant_in_body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let Some(first) = block.stmts.first() else { return };
        let cannot = signature.constness.is_some() || returns_impl(&signature.output);
        let start = first.span();
        for mutant in self.take_mutants(Genre::FnValue, start.start()) {
            if cannot {
                self.unplantable.push(mutant.id);
                continue;
            }
            let Mutant { id, replacement, .. } = mutant;
            let text = format!("if crate::switch::on({id}) {{ return {replacement}; }} ");
            let at = start.byte_range().start;
            self.edits.push(SourceEdit {
                around: at..at,
                before: wrap_in_markers(*id, &text),
                after: String::new(),
            });
        }
    }
}

/// Whether the return type is `impl Trait`. The compiler then infers the type from the body, and a
/// second value could have another type.
fn returns_impl(output: &syn::ReturnType) -> bool {
    struct ImplTraitFinder(bool);
    impl Visit<'_> for ImplTraitFinder {
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut finds = ImplTraitFinder(false);
    finds.visit_return_type(output);
    finds.0
}

/// Whether a part of a condition binds names for the rest of it, as `let Some(x) = y` does.
fn binds_names(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(both) => binds_names(&both.left) || binds_names(&both.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Planter<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.plant_in_body(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.plant_in_body(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.plant_in_body(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        if binds_names(&expr.left) || binds_names(&expr.right) {
            return visit::visit_expr_binary(self, expr);
        }
        let (left, right) =
            (self.source_text(expr.left.span()), self.source_text(expr.right.span()));
        let ways: Vec<(u32, String)> = self
            .take_mutants(Genre::BinaryOperator, expr.op.span().start())
            .iter()
            .map(|mutant| (mutant.id, format!("({left}) {} ({right})", mutant.replacement)))
            .collect();
        self.push_branches(expr.span().byte_range(), &ways);
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let inner = self.source_text(expr.expr.span());
        let ways: Vec<(u32, String)> = self
            .take_mutants(Genre::UnaryOperator, expr.op.span().start())
            .iter()
            .map(|mutant| (mutant.id, inner.to_owned()))
            .collect();
        self.push_branches(expr.span().byte_range(), &ways);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_struct(&mut self, expr: &'ast syn::ExprStruct) {
        let whole = expr.span().byte_range();
        let mut ways = Vec::new();
        for field in &expr.fields {
            let gone = field.span().byte_range();
            for mutant in self.take_mutants(Genre::StructField, field.span().start()) {
                let after = self.source[gone.end..whole.end].trim_start().trim_start_matches(',');
                ways.push((mutant.id, format!("{}{after}", &self.source[whole.start..gone.start])));
            }
        }
        self.push_branches(whole, &ways);
        visit::visit_expr_struct(self, expr);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let takes_all =
            |arm: &syn::Arm| arm.guard.is_none() && matches!(arm.pat, syn::Pat::Wild(_));
        if !expr.arms.iter().any(takes_all) {
            // Without a wildcard arm, no arm can be put behind a switch, because the match would no
            // longer be exhaustive.
            for arm in &expr.arms {
                let gone = self.take_mutants(Genre::MatchArm, arm.span().start());
                self.unplantable.extend(gone.iter().map(|mutant| mutant.id));
            }
        }
        visit::visit_expr_match(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let gone: String = self
            .take_mutants(Genre::MatchArm, arm.span().start())
            .iter()
            .map(|mutant| {
                wrap_in_markers(mutant.id, &format!("!crate::switch::on({}) && ", mutant.id))
            })
            .collect();
        if let Some((_, guard)) = &arm.guard {
            let (mut before, mut after) = (gone, String::new());
            for Mutant { id, replacement, .. } in
                self.take_mutants(Genre::MatchArmGuard, guard.span().start())
            {
                let switch = format!("crate::switch::on({id})");
                let (open, close) = match replacement.as_str() {
                    "true" => (format!("({switch} || ("), "))"),
                    _ => (format!("(!{switch} && ("), "))"),
                };
                before.push_str(&format!("/*<{id}*/{open}"));
                after = format!("{close}/*{id}>*/{after}");
            }
            if !before.is_empty() {
                before.push('(');
                after.insert(0, ')');
                self.edits.push(SourceEdit { around: guard.span().byte_range(), before, after });
            }
        } else if !gone.is_empty() {
            let at = arm.pat.span().byte_range().end;
            let before = format!(" if {gone}true");
            self.edits.push(SourceEdit { around: at..at, before, after: String::new() });
        }
        visit::visit_arm(self, arm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant;

    #[test]
    fn each_mutant_gets_branch_with_original_operands() {
        let list = r#"[
            {"name": "", "file": "", "genre": "BinaryOperator", "replacement": "-",
             "function": null,
             "span": {"start": {"line": 1, "column": 25}, "end": {"line": 1, "column": 26}}},
            {"name": "", "file": "", "genre": "BinaryOperator", "replacement": "!=",
             "function": null,
             "span": {"start": {"line": 1, "column": 29}, "end": {"line": 1, "column": 31}}}]"#;
        let list = mutant::parse_list(list).expect("a list");
        let (text, left) =
            plant_mutants("fn f() -> bool { 'ä'; 1 + 2 == 3 }", &list.iter().collect::<Vec<_>>())
                .expect("Rust");
        assert_eq!(left, Vec::<u32>::new());
        let bare: String =
            text.split("/*").map(|p| p.split_once("*/").map_or(p, |p| p.1)).collect();
        assert_eq!(
            bare,
            "fn f() -> bool { 'ä'; (if crate::switch::on(2) {(1 + 2) != (3)} else \
             {(if crate::switch::on(1) {(1) - (2)} else {1 + 2}) == 3}) }"
        );
    }
}
