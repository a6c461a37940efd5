//! A minimal line plot as an SVG, with axes, ticks and a title.

use std::fmt::Write as _;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 45.0;
const TOP: f64 = 40.0;
const RIGHT: f64 = 20.0;
/// Approximate number of ticks per axis.
const N_MARKS: f64 = 6.0;

/// The content of a plot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plot<'a> {
    /// The title above.
    pub(crate) title: &'a str,
    /// The label of the horizontal axis.
    pub(crate) x: &'a str,
    /// The label of the vertical axis.
    pub(crate) y: &'a str,
    /// The points, from left to right; none is below 0.
    pub(crate) points: &'a [(f64, f64)],
}

/// The distance between ticks: 1, 2 or 5 times a power of ten.
fn step(range: f64) -> f64 {
    let rough = (range / N_MARKS).max(f64::MIN_POSITIVE);
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= rough).unwrap_or(power)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Plot<'_> {
    /// Renders the plot.
    pub(crate) fn svg(&self) -> String {
        let most = |of: fn(&(f64, f64)) -> f64| self.points.iter().map(of).fold(0.0, f64::max);
        let (x_step, y_step) = (step(most(|point| point.0)), step(most(|point| point.1)));
        let end = |most: f64, step: f64| (most / step).ceil().max(1.0) * step;
        let (x_end, y_end) = (end(most(|point| point.0), x_step), end(most(|point| point.1), y_step));
        let place_x = |x: f64| LEFT + x / x_end * (WIDTH - LEFT - RIGHT);
        let place_y = |y: f64| HEIGHT - BOTTOM - y / y_end * (HEIGHT - BOTTOM - TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        let (left, right, top, bottom) = (place_x(0.0), place_x(x_end), place_y(y_end), place_y(0.0));
        let mut line = |text: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(svg, "{text}");
        };
        let middle = (left + right) / 2.0;
        line(format_args!(
            "<text x=\"{middle:.1}\" y=\"22\" text-anchor=\"middle\" font-size=\"14\">{}</text>",
            escaped(self.title)
        ));
        line(format_args!(
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 8.0,
            escaped(self.x)
        ));
        let centre = (top + bottom) / 2.0;
        line(format_args!(
            "<text x=\"14\" y=\"{centre:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {centre:.1})\">{}</text>",
            escaped(self.y)
        ));
        let n_marks = |end: f64, step: f64| (end / step).round() as usize;
        for mark in 0..=n_marks(y_end, y_step) {
            let value = mark as f64 * y_step;
            let y = place_y(value);
            line(format_args!(
                "<line x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>"
            ));
            line(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 6.0,
                y + 4.0,
                short(value)
            ));
        }
        for mark in 0..=n_marks(x_end, x_step) {
            let value = mark as f64 * x_step;
            let x = place_x(value);
            line(format_args!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 18.0,
                short(value)
            ));
        }
        line(format_args!("<path d=\"M{left:.1} {top:.1} V{bottom:.1} H{right:.1}\" fill=\"none\" stroke=\"black\"/>"));
        let way: Vec<String> =
            self.points.iter().map(|&(x, y)| format!("{:.1},{:.1}", place_x(x), place_y(y))).collect();
        line(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#0b5fa5\" stroke-width=\"2\"/>",
            way.join(" ")
        ));
        for &(x, y) in self.points {
            line(format_args!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#0b5fa5\"/>", place_x(x), place_y(y)));
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// The label of a tick, without trailing zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (range, expected) in [(10.0, 2.0), (2.5, 0.5), (0.07, 0.02), (1000.0, 200.0), (6.0, 1.0)] {
            assert!((step(range) - expected).abs() < 1e-12, "{range}: {}", step(range));
        }
    }

    #[test]
    fn every_point_is_drawn_inside() {
        let points = [(1.0, 0.5), (2.0, 2.5), (10.0, 0.1)];
        let svg = Plot { title: "a < b", x: "k", y: "size", points: &points }.svg();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        for piece in svg.split("cx=\"").skip(1) {
            let x: f64 = piece[..piece.find('"').unwrap()].parse().unwrap();
            assert!((LEFT..=WIDTH - RIGHT).contains(&x));
        }
        assert!(Plot { title: "", x: "", y: "", points: &[] }.svg().contains("polyline"));
    }
}
