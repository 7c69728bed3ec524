"""The components of figure 2 and section 4.2, and proposition 4.3 with its proof in appendix C.1.

The paper says which components Turing-completeness needs. Here a network is asked for that simulates every RNN, as the
paper's theorems do it; where none can, it is for an RNN that takes infinitely many values on a word, or for one that
tells two words of one length apart. That holds also where position encodings are added to the outputs, which are the
same on both words. Not to simulate every RNN is less than not to be Turing-complete: see the note of proposition 4.3.

The proofs of the paper are about hardmax, its experiments in section 5 about softmax. What is said of one position in
appendix C.1, and so that the counting task is not done, is proved of both; on two positions softmax has no such bound.
"""

from __future__ import annotations

from functools import partial

from weightproof.constructions.bhattamishra2020 import components as without
from weightproof.constructions.bhattamishra2020.counting import (
    BESIDE,
    FOLLOWING,
    INPUT,
    SUM,
    counting,
    halving,
    rising,
)
from weightproof.constructions.bhattamishra2020.directional import rnn_by_directional
from weightproof.constructions.bhattamishra2020.encoder_decoder import rnn_by_encoder_decoder
from weightproof.constructions.bhattamishra2020.no_feed_forward import rnn_without_feed_forward
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.schema import Head, Layer
from weightproof.proofs.prover import Obligation, Obligations, checked, stated
from weightproof.proofs.simulation.bounds import (
    ABSENT,
    CHOICES,
    asks_for_different,
    asks_for_more,
    chooses_alone,
    counts_choices,
    encoder_says_nothing,
    every_choice,
    has_all_weight,
    is_the_same,
    reads_no_order,
    reads_no_word,
    takes_ever_new_values,
    tells_apart,
)
from weightproof.proofs.simulation.components import NETWORKS, Component, bound, simulates
from weightproof.proofs.simulation.holding import HALVED, LATER, STEP, Invariant
from weightproof.proofs.theorems.bhattamishra2020 import directional, encoder_decoder
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.simulation import decoder, parts
from weightproof.symbolic.simulation.decoder import Moment
from weightproof.symbolic.simulation.parts import Place
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, Values

SMALL = range(1, 6)
"""Numbers of positions for which all choices are gone through."""
WORD = (INPUT, BESIDE)
"""What the rising network reads."""
NONE_DOES = "none simulates 'halving'"


def halves(rnn: RNN) -> Invariant:
    return {"2^-t": HALVED, "1": "1"}


def step_0_apart(rnn: RNN) -> Invariant:
    return {"t": STEP, "1": "1", "later": LATER}


def counts() -> Obligations:
    """Step t of the counting network holds t D, for every number D."""
    network, step = counting(INPUT), Place.called(STEP)
    t, value, one = step.index, Polynomial.atom(INPUT), Polynomial.number(1)
    moment = Moment("every step", INPUT, step, step, {INPUT: one}, (), Region())
    output = decoder.step(network, {SUM: t * value}, {}, moment)
    then = decoder.next_input(network, output, step)
    yield checked("at step 0", None if not network.seed else "it does not start with 0")
    yield checked("at every step", None if output[SUM] == t * value else f"{SUM} is {output[SUM]}")
    wanted = (t + one) * value
    yield checked("at the next step", None if then == {SUM: wanted} else f"{SUM} is {then[SUM]}, not {wanted}")


def rises() -> Obligations:
    """Every input of the rising network is more than the one before, and so is every output: by induction, with the
    first input and output as the base. On two positions the output is (w u + v)/(w + 1), where u and v are their
    values, and w > 0 the exp of the difference of their scores; of a difference that is more, it is w (1 + r), with
    r > 0."""
    network, one = rising(), Polynomial.number(1)
    positions = add_markers(network.encoder, WORD)
    yield checked("the positions", None if positions == WORD else f"they are {positions}")
    [layer] = network.layers
    [head] = layer.cross_heads
    bare = Head(W_Q=head.W_Q, W_K=head.W_K, W_V=head.W_V, scale=head.scale)
    is_bare = layer == Layer(cross_heads=(bare,), cross_residual=False) and network.coordinates == (SUM,)
    yield checked("the layer", None if is_bare else "it is more than a head of softmax that sees all positions")

    x, more, w, r = (Polynomial.atom(name) for name in ("x", "more", "w", "r"))
    region = Region(positive=frozenset({"more", "w", "r"}))
    memory = decoder.encoded(network.encoder, WORD, Region())
    u, v = (of_sum(parts.valued(head, memory[token])) for token in WORD)

    def ahead(input_: Polynomial) -> Polynomial:
        ours, others = (parts.scored(head, {SUM: input_}, memory[token]) for token in WORD)
        return parts.weight(head.scale) * (ours - others)

    def positive(name: str, value: Polynomial) -> Obligation:
        reason = None if region.is_positive(value) else f"{value} may not be positive"
        return stated(name, reason, [(">", value)], region)

    yield positive("the difference of scores, where the input is more", ahead(x + more) - ahead(x))
    then = w * (one + r)
    yield positive("the output then, less that before", (then * u + v) * (w + one) - (w * u + v) * (then + one))
    fed_back = of_sum(decoder.next_input(network, {SUM: x}, Place.called(STEP)))
    yield checked("the next input", None if fed_back == x else f"it is {fed_back} of the output x")
    begun = of_sum({name: parts.weight(value) for name, value in network.seed.items()})
    yield positive("the first output, less the first input", w * u + v - begun * (w + one))


def of_sum(values: Values) -> Polynomial:
    return values.get(SUM, Polynomial())


def follow(number: Polynomial) -> list[Polynomial]:
    """The numbers that are asked for of a number."""
    return [number + Polynomial.number(step) for step in range(1, FOLLOWING + 1)]


few = (partial(chooses_alone, cross_residual=(False,)), counts_choices)
ever_new = partial(takes_ever_new_values, halving(), "h", "a", "b")
apart = partial(tells_apart, halving(), "a", "b")

components = (
    Component(
        "encoder self-attention; residual around it",
        "either suffices",
        "figure 2, section 4.2",
        without=(
            simulates("without encoder self-attention", without.without_encoder_attention, encoder_decoder.invariant),
            simulates(
                "without the residual around encoder self-attention",
                without.without_encoder_attention_residual,
                encoder_decoder.invariant,
            ),
        ),
        impossible=(
            bound(
                "without encoder self-attention and its residual",
                f"in some layer: all words of one length have the same outputs; {NONE_DOES}",
                partial(encoder_says_nothing, heads=((),), attention_residual=(False,)),
                apart,
            ),
        ),
    ),
    Component(
        "encoder feed-forward network; residual around it",
        "either suffices",
        "section 4.2",
        without=(
            simulates(
                "without the encoder's feed-forward network",
                without.without_encoder_feed_forward,
                encoder_decoder.invariant,
            ),
            simulates(
                "without the residual around the encoder's feed-forward network",
                without.without_encoder_feed_forward_residual,
                halves,
            ),
        ),
        impossible=(
            bound(
                "without the encoder's feed-forward network and its residual",
                f"in some layer: all words of one length have the same outputs; {NONE_DOES}",
                partial(encoder_says_nothing, feed_forward=(ABSENT,), feed_forward_residual=(False,)),
                apart,
            ),
        ),
        note="without the residual the position is 2^-i and the token a one-hot vector: the printed i, and embeddings "
        "outside [0, 1], do not pass saturated units",
    ),
    Component(
        "decoder-decoder attention; residual around it",
        "either suffices",
        "figure 2, section 4.2",
        without=(
            simulates(
                "without decoder-decoder attention", without.without_decoder_attention, encoder_decoder.invariant
            ),
            simulates(
                "without the residual around decoder-decoder attention",
                without.without_decoder_attention_residual,
                encoder_decoder.invariant,
            ),
        ),
        impossible=(
            bound(
                "without decoder-decoder attention and its residual",
                f"in the last layer: finitely many outputs on each word; {NONE_DOES}",
                partial(chooses_alone, heads=((),), attention_residual=(False,)),
                ever_new,
            ),
        ),
        note="the attention is by position: in the directional transformer the residual is kept",
    ),
    Component(
        "decoder-encoder attention",
        "essential",
        "figure 2, section 4.2",
        impossible=(
            bound(
                "without decoder-encoder attention",
                f"all words of one length have the same outputs; {NONE_DOES}",
                reads_no_word,
                apart,
            ),
        ),
    ),
    Component(
        "residual around decoder-encoder attention",
        "essential",
        "figure 2, propositions 4.3 and C.1",
        impossible=(
            bound(
                "without the residual around decoder-encoder attention",
                f"in the last layer, H hardmax heads: at most (2^n - 1)^H outputs at n positions; {NONE_DOES}",
                *few,
                ever_new,
            ),
        ),
        note="that no such network runs every Turing machine does not follow: which positions are chosen may depend on "
        "all earlier outputs, and on positions without bound",
    ),
    Component(
        "decoder feed-forward network",
        "essential",
        "figure 2, section 4.2",
        without=(simulates("without the decoder's feed-forward network", rnn_without_feed_forward, step_0_apart),),
        note="not needed: the construction has two layers for a unit and two more, and no feed-forward network in the "
        "encoder either; one head has the score -|q.k|, the others q.k, and each layer has keys and values of its own",
    ),
    Component(
        "residual around the decoder's feed-forward network",
        "not necessary",
        "figure 2, the residual that is not coloured",
        without=(
            simulates(
                "without the residual around the decoder's feed-forward network",
                without.without_decoder_feed_forward_residual,
                encoder_decoder.invariant,
            ),
        ),
    ),
    Component(
        "position encodings; masks",
        "either suffices",
        "section 4.1",
        without=(
            simulates("without masks", rnn_by_encoder_decoder, encoder_decoder.invariant),
            simulates("without position encodings", rnn_by_directional, directional.invariant),
        ),
        impossible=(
            bound(
                "without position encodings and masks",
                f"in the encoder and at it: words of the same symbols have the same outputs; {NONE_DOES}",
                reads_no_order,
                partial(tells_apart, halving(), "ab", "ba"),
            ),
        ),
    ),
)

beside = (
    bound(
        "choices, gone through",
        "hardmax on n positions gives 2^n - 1 lists of weights, and a head attains all of them",
        *(partial(every_choice, n) for n in SMALL),
        scope=f"n <= {SMALL[-1]}",
        evidence=Evidence.BOUNDED,
    ),
    bound(
        "counting task, with the residual",
        "a network of one head and no feed-forward network holds t D at step t",
        counts,
        scope="all numbers D, all steps",
    ),
    bound(
        "counting task, without the residual around decoder-encoder attention",
        "no network of one head holds 0, D, 2 D, ... up to 1 where D <= 1/(2^n - 1), at n positions, D included",
        *few,
        partial(asks_for_more, CHOICES),
        scope=NETWORKS,
    ),
    bound(
        "one position, without the residual around decoder-encoder attention",
        "in the last layer, heads of softmax or hard attention that always see the position, and no sink: the output "
        f"is the same at every step; so none produces k + 1, ..., k + {FOLLOWING} of a number k",
        has_all_weight,
        partial(is_the_same, cross_residual=(False,)),
        partial(asks_for_different, follow(Polynomial.atom("k"))),
        scope="all networks, all words of one position, all steps",
    ),
    bound(
        "two positions, without the residual around decoder-encoder attention",
        "a network of one softmax head has a greater output at every step than at the one before",
        rises,
        scope="one network, one word of two positions, all steps",
    ),
)
