//! The frame of a plot in a file of its own: titles, axes and their scales.

use super::layout::text_width;
use crate::markup::escape;
use std::fmt::Write as _;

const STYLE: &str = include_str!("plot.css");
const LEFT: f64 = 74.0;
const TOP: f64 = 84.0;
/// Width of the area between the axes.
const WIDE: f64 = 480.0;
/// Its height.
const HIGH: f64 = 360.0;
const RIGHT: f64 = 28.0;
/// Height of what is below the area.
const BELOW: f64 = 84.0;
pub(super) const SMALL: f64 = 13.0;
const TITLE: f64 = 18.0;

/// What is written around a plot.
pub(super) struct Texts<'a> {
    /// What is plotted.
    pub(super) title: &'a str,
    /// Of what: the model and the data.
    pub(super) about: &'a str,
    /// The figure that sums it up.
    pub(super) summary: &'a str,
    /// The plot in words, for screen readers.
    pub(super) described: &'a str,
    /// What is on each axis.
    pub(super) axes: [&'a str; 2],
}

/// A plot in the making. The horizontal axis goes from 0 to 1, the vertical one from 0 to `top`.
pub(super) struct Plot {
    out: String,
    top: f64,
}

impl Plot {
    pub(super) fn new(texts: &Texts<'_>, top: f64) -> Self {
        let (width, height) = (LEFT + WIDE + RIGHT, TOP + HIGH + BELOW);
        let out = format!(
            "<svg class=\"resay-plot\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-labelledby=\"resay-title resay-desc\">\n\
             <title id=\"resay-title\">{}: {}</title>\n<desc id=\"resay-desc\">{}</desc>\n<style>\n{STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\" rx=\"10\"/>\n",
            escape(texts.title),
            escape(texts.about),
            escape(texts.described),
        );
        let mut plot = Self { out, top };
        plot.fitted("ink title", 30.0, texts.title, TITLE);
        plot.fitted("quiet", 50.0, texts.about, SMALL);
        plot.fitted("ink", 70.0, texts.summary, SMALL);
        for step in 0..=5 {
            let share = f64::from(step) / 5.0;
            let (x, y) = (plot.x(share), plot.y(share * top));
            plot.line(if step == 0 { "axis" } else { "rule" }, [LEFT, y], [LEFT + WIDE, y]);
            plot.line(if step == 0 { "axis" } else { "rule" }, [x, TOP], [x, TOP + HIGH]);
            plot.text("quiet", "middle", [x, TOP + HIGH + 20.0], &format!("{share:.1}"));
            plot.text("quiet", "end", [LEFT - 8.0, y + 4.0], &format!("{:.2}", share * top));
        }
        plot.text("ink", "middle", [LEFT + WIDE / 2.0, TOP + HIGH + 42.0], texts.axes[0]);
        let (x, y) = (22.0, TOP + HIGH / 2.0);
        let _ = writeln!(
            plot.out,
            "<text class=\"ink\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" \
             font-size=\"{SMALL}\">{}</text>",
            escape(texts.axes[1])
        );
        plot
    }

    /// Writes a line above the plot, squeezed if it would be wider.
    fn fitted(&mut self, class: &str, y: f64, text: &str, font: f64) {
        let squeezed = match text_width(text, font) > WIDE {
            true => format!(" textLength=\"{WIDE:.0}\" lengthAdjust=\"spacingAndGlyphs\""),
            false => String::new(),
        };
        let text = escape(text);
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{LEFT:.1}\" y=\"{y:.1}\" font-size=\"{font}\"{squeezed}>{text}</text>"
        );
    }

    /// The place of a value on the horizontal axis.
    pub(super) fn x(&self, value: f64) -> f64 {
        LEFT + WIDE * value
    }

    /// The place of a value on the vertical axis.
    pub(super) fn y(&self, value: f64) -> f64 {
        TOP + HIGH * (1.0 - value / self.top)
    }

    pub(super) fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let ([x1, y1], [x2, y2]) = (from, to);
        let _ =
            writeln!(self.out, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }

    pub(super) fn point(&mut self, [x, y]: [f64; 2]) {
        let _ = writeln!(self.out, "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>");
    }

    pub(super) fn curve(&mut self, points: impl Iterator<Item = [f64; 2]>) {
        let points: Vec<String> = points.map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.out, "<polyline class=\"curve\" points=\"{}\"/>", points.join(" "));
    }

    pub(super) fn text(&mut self, class: &str, anchor: &str, [x, y]: [f64; 2], text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{SMALL}\">{text}</text>"
        );
    }

    /// Writes a row of cells below the plot, each at its place on the horizontal axis.
    pub(super) fn row_below(&mut self, name: &str, cells: impl Iterator<Item = (f64, String)>) {
        let y = TOP + HIGH + 66.0;
        self.text("quiet", "end", [LEFT - 8.0, y], name);
        for (value, cell) in cells {
            self.text("quiet", "middle", [self.x(value), y], &cell);
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}
