from metaheur.fields import Factor, OneOf, Range
from metaheur.tuning.other_tuners import suggested, to_configspace, to_irace, to_optuna
from metaheur.tuning.parameter import Parameter
from metaheur.tuning.race import tune
from metaheur.tuning.space import Space
from metaheur.tuning.tuned import Ranked, Tuned

__all__ = [
    "Factor",
    "OneOf",
    "Parameter",
    "Range",
    "Ranked",
    "Space",
    "Tuned",
    "suggested",
    "to_configspace",
    "to_irace",
    "to_optuna",
    "tune",
]
