"""Small random problems solved by other people's programs, for crates/resay-learn/tests/golden.rs.

Linear machines by LIBLINEAR, kernel machines by LIBSVM, both through scikit-learn at tight tolerances; Platt's
calibration by SciPy's minimiser; measures by scikit-learn. Fixed seeds: the same versions write the same files.
Run by run.sh.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score
from sklearn.svm import SVC, LinearSVC

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


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, make in enumerate([linear, dual, calibration, metrics]):
        write(folder, f"{make.__name__}.json", make(np.random.default_rng(20_000 + number)))


main()
