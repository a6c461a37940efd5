"""Small random problems solved by other people's programs, for crates/resay-learn/tests/golden.rs.

Linear machines and regression by LIBLINEAR, kernel machines by LIBSVM, both through scikit-learn at tight tolerances,
for two classes and for one class against the rest; calibrations by SciPy's minimisers, intervals by NumPy's
quantiles; measures by scikit-learn, correlations and exact intervals of shares by SciPy. Fixed seeds: the same
versions write the same files. Run by run.sh.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logsumexp
from scipy.stats import binomtest, pearsonr, spearmanr
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    brier_score_loss,
    confusion_matrix,
    f1_score,
    log_loss,
    mean_absolute_error,
    precision_recall_fscore_support,
    roc_auc_score,
    root_mean_squared_error,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, LinearSVC, LinearSVR

# An unconverged oracle is no oracle.
warnings.simplefilter("error", ConvergenceWarning)


def write(folder, name, content):
    (folder / name).write_text(json.dumps(content, separators=(",", ":")) + "\n")


def labels_of(rng, scores, noise):
    """Labels that a linear machine can learn in part."""
    labels = scores + noise * rng.normal(size=len(scores)) > 0
    labels[0], labels[1] = True, False
    return labels


def linear(rng):
    problems = []
    for n_rows, n_columns, density in [(60, 25, 0.3), (40, 80, 0.2)]:
        mask = rng.random((n_rows, n_columns)) < density
        dense = np.round(np.where(mask, rng.normal(size=(n_rows, n_columns)), 0.0), 3)
        labels = labels_of(rng, dense @ rng.normal(size=n_columns), 0.7)
        cases = []
        for cost in [0.01, 0.3, 1.0, 30.0]:
            for loss in ["hinge", "squared_hinge"]:
                for bias, weights in [(1.0, [1.0, 1.0]), (None, [1.0, 1.0]), (2.5, [3.0, 0.5])]:
                    # scikit-learn shuffles with the seed; the optimum does not depend on it.
                    machine = LinearSVC(
                        C=cost,
                        loss=loss,
                        dual=True,
                        tol=1e-10,
                        max_iter=20_000_000,
                        fit_intercept=bias is not None,
                        intercept_scaling=bias or 1.0,
                        class_weight={True: weights[0], False: weights[1]},
                        random_state=0,
                    ).fit(dense, labels)
                    scores = machine.decision_function(dense)
                    slack = np.maximum(0, 1 - np.where(labels, 1, -1) * scores)
                    errors = slack if loss == "hinge" else slack**2
                    constant_weight = machine.intercept_[0] / bias if bias else 0.0
                    objective = 0.5 * (np.sum(machine.coef_**2) + constant_weight**2)
                    objective += cost * np.sum(np.where(labels, weights[0], weights[1]) * errors)
                    cases.append(
                        {
                            "cost": cost,
                            "loss": loss,
                            "bias": bias,
                            "positive_weight": weights[0],
                            "negative_weight": weights[1],
                            "objective": objective,
                            "scores": np.round(scores, 8).tolist(),
                        }
                    )
        rows = [[[int(c), float(row[c])] for c in np.flatnonzero(row)] for row in dense]
        problems.append({"n_columns": n_columns, "rows": rows, "labels": labels.tolist(), "cases": cases})
    return problems


def dual(rng):
    problems = []
    for n_rows, n_columns in [(60, 10), (45, 60)]:
        features = rng.normal(size=(n_rows, n_columns)) / np.sqrt(n_columns)
        # f32 as our Gram, so that both solve the same problem.
        gram = np.round((features @ features.T + 0.2) ** 2, 4).astype(np.float32)
        labels = labels_of(rng, features @ rng.normal(size=n_columns), 0.5)
        members = np.sort(rng.permutation(n_rows)[: n_rows - 8])
        members = np.union1d(members, [0, 1])
        cases = []
        for cost in [0.05, 1.0, 20.0]:
            for weights in [[1.0, 1.0], [2.0, 0.5]]:
                machine = SVC(
                    kernel="precomputed",
                    C=cost,
                    tol=1e-8,
                    class_weight={True: weights[0], False: weights[1]},
                ).fit(gram[np.ix_(members, members)].astype(float), labels[members])
                scores = machine.decision_function(gram[:, members].astype(float))
                coefficients = np.zeros(n_rows)
                coefficients[members[machine.support_]] = machine.dual_coef_[0]
                objective = 0.5 * coefficients @ gram.astype(float) @ coefficients - np.abs(coefficients).sum()
                cases.append(
                    {
                        "cost": cost,
                        "positive_weight": weights[0],
                        "negative_weight": weights[1],
                        "rho": -machine.intercept_[0],
                        "objective": objective,
                        "n_support": int(len(machine.support_)),
                        "scores": np.round(scores, 8).tolist(),
                    }
                )
        problems.append(
            {
                "gram": [[float(f"{value:.4f}") for value in row] for row in gram],
                "labels": labels.tolist(),
                "members": members.tolist(),
                "cases": cases,
            }
        )
    return problems


def calibration(rng):
    cases = []
    for n, gap, scale in [(30, 1.0, 1.0), (200, 2.0, 1.0), (50, 8.0, 1.0), (120, 0.5, 40.0)]:
        labels = rng.random(n) < 0.4
        scores = np.round(scale * (rng.normal(size=n) + np.where(labels, gap, 0.0)) - 1.0, 4)
        n_positive, n_negative = labels.sum(), (~labels).sum()
        targets = np.where(labels, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
        unit = scores / scale

        def value(point):
            z = point[0] * unit + point[1]
            error = expit(z) - targets
            return np.sum(np.logaddexp(0, z) - targets * z), np.array([error @ unit, error.sum()])

        def curvature(point):
            p = expit(point[0] * unit + point[1])
            design = np.stack([unit, np.ones(n)])
            return (design * (p * (1 - p))) @ design.T

        found = minimize(value, [0.0, 0.0], jac=True, hess=curvature, method="trust-exact", options={"gtol": 1e-10})
        assert np.abs(found.jac).max() < 1e-6, found
        cases.append(
            {"scores": scores.tolist(), "labels": labels.tolist(), "slope": found.x[0] / scale, "intercept": found.x[1]}
        )
    return cases


def metrics(rng):
    cases = []
    for n in [10, 100, 300]:
        labels = rng.random(n) < 0.3
        labels[0], labels[1] = True, False
        # Two decimals: many equal scores.
        probabilities = np.round(np.clip(rng.random(n) * 0.6 + 0.3 * labels + 0.05, 0.01, 0.99), 2)
        cases.append(
            {
                "probabilities": probabilities.tolist(),
                "labels": labels.tolist(),
                "roc_auc": roc_auc_score(labels, probabilities),
                "average_precision": average_precision_score(labels, probabilities),
                "log_loss": log_loss(labels, probabilities),
                "brier": brier_score_loss(labels, probabilities),
            }
        )
    return cases


def smoothed_targets(labels, n_classes):
    counts = np.bincount(labels, minlength=n_classes)
    targets = np.repeat(1 / (counts[labels] + n_classes), n_classes).reshape(-1, n_classes)
    targets[np.arange(len(labels)), labels] *= counts[labels] + 1
    return targets


def softmax(rng):
    cases = []
    for n, gaps in [(60, [1.0, 1.0, 1.0]), (200, [2.0, 0.5, 1.0, 3.0]), (80, [9.0, 9.0, 9.0]), (150, [1.5, -1.0, 1.0])]:
        n_classes = len(gaps)
        labels = rng.integers(n_classes, size=n)
        scores = np.round(rng.normal(size=(n, n_classes)) + (labels[:, None] == np.arange(n_classes)) * gaps, 4)
        targets = smoothed_targets(labels, n_classes)
        ranges = np.ptp(scores, axis=0)

        def value(point):
            slopes, intercepts = point[:n_classes], point[n_classes:]
            z = scores * slopes + intercepts
            error = expit_rows(z) - targets
            ridge = 1e-6 * ranges**2 * slopes
            loss = np.sum(logsumexp(z, axis=1) - np.sum(targets * z, axis=1))
            loss += 0.5 * slopes @ ridge + 0.5 * intercepts.sum() ** 2
            return loss, np.concatenate([np.sum(error * scores, axis=0) + ridge, error.sum(axis=0) + intercepts.sum()])

        bounds = [(0, None)] * n_classes + [(None, None)] * n_classes
        options = {"ftol": 0, "gtol": 1e-10, "maxiter": 10_000, "maxcor": 30}
        found = minimize(value, np.zeros(2 * n_classes), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        at_bound = found.x[:n_classes] == 0
        free = np.concatenate([~at_bound, [True] * n_classes])
        assert np.abs(found.jac[free]).max() < 1e-6 and np.all(found.jac[:n_classes][at_bound] >= 0), found
        slopes, intercepts = found.x[:n_classes], found.x[n_classes:]
        cases.append(
            {
                "scores": scores.T.tolist(),
                "labels": labels.tolist(),
                "slopes": slopes.tolist(),
                "intercepts": intercepts.tolist(),
                "probabilities": np.round(expit_rows(scores * slopes + intercepts), 8).tolist(),
            }
        )
    return cases


def expit_rows(z):
    return np.exp(log_softmax(z, axis=1))


def ordinal(rng):
    cases = []
    for n, n_levels, gap, empty in [(60, 3, 1.0, None), (200, 6, 0.7, None), (90, 4, 6.0, None), (120, 5, 1.0, 2)]:
        levels = rng.integers(n_levels, size=n)
        if empty is not None:
            levels[levels == empty] = empty + 1
        scores = np.round(rng.normal(size=n) + gap * levels, 4)
        targets = smoothed_targets(levels, n_levels)

        def shares(point):
            """One column per level; the cuts are a first cut and the logarithms of the gaps."""
            cuts = np.cumsum(np.concatenate([[point[1]], np.exp(point[2:])]))
            above = expit(point[0] * scores[:, None] - cuts)
            above = np.hstack([np.ones((n, 1)), above, np.zeros((n, 1))])
            return above[:, :-1] - above[:, 1:]

        def value(point):
            # Points of the line search may be far out.
            return -np.sum(targets * np.log(np.maximum(shares(point), 1e-300)))

        start = np.concatenate([[0.1, 0.0], np.zeros(n_levels - 2)])
        found = minimize(value, start, method="BFGS", jac="3-point", options={"gtol": 1e-6, "maxiter": 10_000})
        assert np.abs(found.jac).max() < 1e-4, found
        cases.append(
            {
                "n_levels": n_levels,
                "scores": scores.tolist(),
                "levels": levels.tolist(),
                "slope": found.x[0],
                "cuts": np.cumsum(np.concatenate([[found.x[1]], np.exp(found.x[2:])])).tolist(),
                "probabilities": np.round(shares(found.x), 8).tolist(),
            }
        )
    return cases


def interval(rng):
    cases = []
    for n, coverage in [(19, 0.9), (100, 0.9), (250, 0.8), (40, 0.95)]:
        values = np.round(rng.normal(size=n), 4)
        gold = np.round(values + rng.gumbel(size=n) - 0.5, 4)
        residuals = gold - values
        tail = (1 - coverage) / 2
        low = np.quantile(residuals, round((n + 1) * tail, 9) // 1 / n, method="inverted_cdf")
        high = np.quantile(residuals, -(-round((n + 1) * (1 - tail), 9) // 1) / n, method="inverted_cdf")
        cases.append(
            {
                "values": values.tolist(),
                "gold": gold.tolist(),
                "coverage": coverage,
                "below": max(0.0, -low),
                "above": max(0.0, high),
            }
        )
    return cases


def regression(rng):
    """Sparse rows by LIBLINEAR, and without a tube also their Gram by kernel ridge regression."""
    problems = []
    for n_rows, n_columns, density in [(60, 20, 0.3), (40, 70, 0.2)]:
        mask = rng.random((n_rows, n_columns)) < density
        # Eighths: their products are exact in the f32 of our Gram.
        dense = np.where(mask, np.round(8 * rng.normal(size=(n_rows, n_columns))) / 8, 0.0)
        targets = np.round(dense @ rng.normal(size=n_columns) + 1.5 + 0.5 * rng.normal(size=n_rows), 4)
        gram = dense @ dense.T
        cases = []
        for cost in [0.01, 0.3, 10.0]:
            for epsilon in [0.0, 0.1, 1.0]:
                machine = LinearSVR(
                    C=cost,
                    epsilon=epsilon,
                    loss="squared_epsilon_insensitive",
                    dual=True,
                    tol=1e-10,
                    max_iter=20_000_000,
                    intercept_scaling=1.0,
                    random_state=0,
                ).fit(dense, targets)
                scores = machine.predict(dense)
                outside = np.maximum(0, np.abs(targets - scores) - epsilon)
                objective = 0.5 * (np.sum(machine.coef_**2) + machine.intercept_[0] ** 2) + cost * outside @ outside
                case = {
                    "cost": cost,
                    "epsilon": epsilon,
                    "bias": float(machine.intercept_[0]),
                    "objective": objective,
                    "scores": np.round(scores, 8).tolist(),
                }
                if epsilon == 0.0:
                    ridge = KernelRidge(alpha=0.5 / cost, kernel="precomputed").fit(gram + 1, targets)
                    case["coefficients"] = np.round(ridge.dual_coef_, 8).tolist()
                cases.append(case)
        rows = [[[int(c), float(row[c])] for c in np.flatnonzero(row)] for row in dense]
        problems.append({"n_columns": n_columns, "rows": rows, "targets": targets.tolist(), "cases": cases})
    return problems


def categories(rng):
    cases = []
    for n, n_classes, n_used in [(12, 3, 3), (80, 3, 3), (200, 5, 4), (60, 2, 2)]:
        # The last class of the third case does not occur.
        gold = rng.integers(0, n_used, size=n)
        gold[:n_used] = np.arange(n_used)
        weights = rng.random((n, n_classes)) + 1.2 * np.eye(n_classes)[gold]
        weights[:, n_used:] = 0.01
        probabilities = np.round(weights / weights.sum(axis=1, keepdims=True), 3)
        probabilities[:, 0] = np.round(1.0 - probabilities[:, 1:].sum(axis=1), 3)
        predicted = probabilities.argmax(axis=1)
        labels = np.arange(n_classes)
        precision, recall, f1, _ = precision_recall_fscore_support(gold, predicted, labels=labels, zero_division=0)
        cases.append(
            {
                "n_classes": n_classes,
                "gold": gold.tolist(),
                "predicted": predicted.tolist(),
                "probabilities": probabilities.tolist(),
                "confusion": confusion_matrix(gold, predicted, labels=labels).tolist(),
                "accuracy": accuracy_score(gold, predicted),
                "precision": precision.tolist(),
                "recall": recall.tolist(),
                "f1": f1.tolist(),
                # Without `labels`: the mean over the classes that occur.
                "macro_f1": f1_score(gold, predicted, average="macro"),
                "brier": brier_score_loss(gold, probabilities, labels=labels, scale_by_half=False),
                "log_loss": log_loss(gold, probabilities, labels=labels),
            }
        )
    return cases


def numbers(rng):
    cases = []
    for n, decimals, noise in [(5, 1, 0.5), (60, 1, 1.0), (200, 0, 1.5), (100, 4, 3.0)]:
        # Few decimals: many equal values.
        gold = np.round(rng.uniform(0.0, 5.0, size=n), decimals)
        predicted = np.round(0.8 * gold + noise * rng.normal(size=n), decimals)
        cases.append(
            {
                "gold": gold.tolist(),
                "predicted": predicted.tolist(),
                "pearson": pearsonr(gold, predicted).statistic,
                "spearman": spearmanr(gold, predicted).statistic,
                "rmse": root_mean_squared_error(gold, predicted),
                "mae": mean_absolute_error(gold, predicted),
            }
        )
    return cases


def shares(_rng):
    cases = []
    for part, whole in [(0, 1), (1, 1), (0, 20), (20, 20), (1, 20), (13, 20), (199, 200), (500, 1000), (7, 12345)]:
        for level in [0.9, 0.95, 0.99]:
            found = binomtest(part, whole).proportion_ci(confidence_level=level, method="exact")
            cases.append(
                {"part": part, "whole": whole, "level": level, "low": float(found.low), "high": float(found.high)}
            )
    return cases


def multiclass(rng):
    """One class against the rest: the decisions of every class on every row."""
    problems = []
    for n_rows, n_columns, n_classes in [(75, 12, 3), (60, 40, 5)]:
        mask = rng.random((n_rows, n_columns)) < 0.4
        # Eighths: their products are exact in the f32 of our Gram.
        dense = np.where(mask, np.round(8 * rng.normal(size=(n_rows, n_columns))) / 8, 0.0)
        sides = dense @ rng.normal(size=(n_columns, n_classes)) + rng.normal(size=(n_rows, n_classes))
        classes = np.argmax(sides, axis=1)
        classes[:n_classes] = np.arange(n_classes)
        gram = dense @ dense.T
        cases = []
        for cost in [0.05, 1.0]:
            for loss in ["hinge", "squared_hinge"]:
                machine = LinearSVC(C=cost, loss=loss, dual=True, tol=1e-10, max_iter=20_000_000, random_state=0)
                decisions = np.round(machine.fit(dense, classes).decision_function(dense), 8).tolist()
                cases.append({"machine": "linear", "loss": loss, "cost": cost, "decisions": decisions})
            machine = OneVsRestClassifier(SVC(kernel="precomputed", C=cost, tol=1e-8))
            decisions = np.round(machine.fit(gram, classes).decision_function(gram), 8).tolist()
            cases.append({"machine": "dual", "loss": "hinge", "cost": cost, "decisions": decisions})
        rows = [[[int(c), float(row[c])] for c in np.flatnonzero(row)] for row in dense]
        problems.append({"n_columns": n_columns, "rows": rows, "classes": classes.tolist(), "cases": cases})
    return problems


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    # Each has a seed: a new maker takes any number.
    makers = [linear, dual, calibration, metrics, softmax, ordinal, interval, regression, categories, numbers, shares]
    for number, make in [*enumerate(makers), (8, multiclass)]:
        write(folder, f"{make.__name__}.json", make(np.random.default_rng(20_000 + number)))


main()
