(* What formulas about words speak of, as it stands in the data: the symbol at a position, how often symbols occur, and
   the positions of the word between its markers. The definitions have to be read in order to know what is proved; the
   lemmas below them say the same in the integers of Words.v. *)
Require Import ZArith List String Bool Lia.
From Weightproof Require Import Words.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

(* The token at a position, which counts from 0, where it is a symbol of the alphabet; the empty text for a marker, and
   where there is no position. *)
Definition symbol_at (alphabet tokens : list string) (p : Z) : string :=
  let held := if p <? 0 then "" else nth (Z.to_nat p) tokens "" in if in_dec string_dec held alphabet then held else "".
(* How often a symbol occurs, in all, and at positions 0, ..., p. *)
Definition occurrences (symbol : string) (tokens : list string) : Z := Z.of_nat (count_occ string_dec tokens symbol).
Definition occurrences_upto (symbol : string) (tokens : list string) (p : Z) : Z :=
  occurrences symbol (firstn (Z.to_nat (p + 1)) tokens).
(* The positions of the word, and all positions, with those of markers. *)
Definition is_position (alphabet tokens : list string) (p : Z) : Prop := In (symbol_at alphabet tokens p) alphabet.
Definition is_index (tokens : list string) (p : Z) : Prop := 0 <= p <= length_of tokens - 1.

Lemma firstn_next (tokens : list string) : forall k, (k < List.length tokens)%nat ->
  firstn (S k) tokens = (firstn k tokens ++ [nth k tokens ""])%list.
Proof.
  induction tokens as [|first rest IH]; intros [|k] H; cbn [List.length] in H; try lia; [reflexivity|].
  cbn [nth]. rewrite !firstn_cons, IH by lia. reflexivity.
Qed.

Section Symbols.
Variables alphabet tokens : list string.
Hypothesis nothing_is_none : ~ In "" alphabet.

Lemma index_injective : forall some symbol other,
  In symbol some -> index some symbol = index some other -> symbol = other.
Proof.
  induction some as [|first rest IH]; cbn [index In]; [tauto|]. intros symbol other I. cbv zeta.
  destruct (String.eqb_spec symbol first), (String.eqb_spec other first).
  - congruence.
  - destruct (Z.ltb_spec (index rest other) 0); lia.
  - destruct I as [I|I]; [congruence|]. apply index_symbol in I. destruct (Z.ltb_spec (index rest symbol) 0); lia.
  - destruct I as [I|I]; [congruence|]. pose proof I as I'. apply index_symbol in I'. specialize (IH _ other I).
    destruct (Z.ltb_spec (index rest symbol) 0), (Z.ltb_spec (index rest other) 0); intros; lia || (apply IH; lia).
Qed.

Lemma symbol_at_token p :
  (symbol_at alphabet tokens p = "" /\ token alphabet tokens p = -1) \/
  (In (symbol_at alphabet tokens p) alphabet /\ token alphabet tokens p = index alphabet (symbol_at alphabet tokens p)).
Proof.
  unfold symbol_at, token. cbv zeta. destruct (p <? 0).
  - left. destruct (in_dec string_dec "" alphabet); auto.
  - destruct (in_dec string_dec (nth (Z.to_nat p) tokens "") alphabet) as [I|I]; auto using outside.
Qed.

(* Each part of a formula, and the same of integers. *)
Lemma is_symbol p symbol : In symbol alphabet ->
  (symbol_at alphabet tokens p = symbol <-> token alphabet tokens p = index alphabet symbol).
Proof.
  intros I. pose proof I as H. apply index_symbol in H. destruct (symbol_at_token p) as [[-> ->]|[I' ->]].
  - split; [intros <-; tauto|lia].
  - split; [intros ->; reflexivity|apply index_injective; exact I'].
Qed.
Lemma same_symbols p q :
  symbol_at alphabet tokens p = symbol_at alphabet tokens q <-> token alphabet tokens p = token alphabet tokens q.
Proof.
  destruct (symbol_at_token p) as [[E ->]|[I ->]]; [rewrite E|]; destruct (symbol_at_token q) as [[E' ->]|[I' ->]];
    try rewrite E'.
  - tauto.
  - split; [intros H; rewrite <- H in I'; tauto|apply index_symbol in I'; lia].
  - split; [intros H; rewrite H in I; tauto|apply index_symbol in I; lia].
  - split; [intros ->; reflexivity|apply index_injective; exact I].
Qed.
Lemma occurrences_upto_prefix symbol p : In symbol alphabet ->
  occurrences_upto symbol tokens p = prefix alphabet tokens (index alphabet symbol) p.
Proof.
  intros I. pose proof I as I'. apply index_symbol in I'. unfold occurrences_upto, prefix.
  induction (Z.to_nat (p + 1)) as [|k IH]; [reflexivity|]. cbn [upto]. rewrite <- IH. unfold token, occurrences.
  replace (Z.of_nat k <? 0) with false by (symmetry; apply Z.ltb_ge; lia). rewrite Nat2Z.id.
  destruct (Nat.ltb_spec k (List.length tokens)) as [L|L].
  - rewrite (firstn_next tokens) by exact L. rewrite count_occ_app. cbn [count_occ].
    destruct (string_dec (nth k tokens "") symbol) as [->|D]; [rewrite Z.eqb_refl; lia|].
    destruct (Z.eqb_spec (index alphabet (nth k tokens "")) (index alphabet symbol)) as [E|E]; [|lia].
    symmetry in E. apply index_injective in E; [congruence|exact I].
  - rewrite !firstn_all2 by lia. rewrite nth_overflow, outside by assumption.
    destruct (Z.eqb_spec (-1) (index alphabet symbol)); lia.
Qed.
Lemma occurrences_count symbol : In symbol alphabet ->
  occurrences symbol tokens = count alphabet tokens (index alphabet symbol).
Proof.
  intros I. pose proof (occurrences_upto_prefix symbol (length_of tokens - 1) I) as E.
  unfold occurrences_upto, prefix, length_of in E. unfold count.
  replace (Z.to_nat (Z.of_nat (List.length tokens) - 1 + 1)) with (List.length tokens) in E by lia.
  rewrite firstn_all in E. exact E.
Qed.
Lemma position_token p : is_position alphabet tokens p <-> 0 <= token alphabet tokens p.
Proof.
  unfold is_position. destruct (symbol_at_token p) as [[-> ->]|[I ->]]; [split; [tauto|lia]|].
  apply index_symbol.
Qed.
End Symbols.

Lemma position_between alphabet before behind word p :
  Forall (fun symbol => In symbol alphabet) word -> Forall (fun marker => ~ In marker alphabet) before ->
  Forall (fun marker => ~ In marker alphabet) behind -> ~ In "" alphabet ->
  let tokens := (before ++ word ++ behind)%list in
  is_position alphabet tokens p <-> length_of before <= p <= length_of tokens - 1 - length_of behind.
Proof.
  intros W B E N tokens. rewrite position_token by exact N. split.
  - intros H. destruct (Z.ltb_spec p (length_of before)) as [L|L], (Z.ltb_spec (length_of tokens - 1 - length_of behind) p);
      try lia; unfold tokens in *; rewrite (token_none alphabet before behind word) in H; auto; lia.
  - intros H. apply (token_symbol alphabet before behind word); assumption.
Qed.

(* A formula about words is, part by part, the same formula about integers. *)
Lemma everywhere (P P' Q Q' : Z -> Prop) : (forall j, P j <-> P' j) -> (forall j, Q j <-> Q' j) ->
  ((forall j, P j -> Q j) <-> (forall j, P' j -> Q' j)).
Proof. intros HP HQ. split; intros H j Hj; apply HQ, H, HP, Hj. Qed.
Lemma somewhere (P P' Q Q' : Z -> Prop) : (forall j, P j <-> P' j) -> (forall j, Q j <-> Q' j) ->
  ((exists j, P j /\ Q j) <-> (exists j, P' j /\ Q' j)).
Proof. intros HP HQ. split; intros (j & Hj & H); exists j; (split; [apply HP, Hj|apply HQ, H]). Qed.
Lemma neither A B : (A <-> B) -> (~ A <-> ~ B).
Proof. tauto. Qed.

(* So are the truth values in it that count as numbers. *)
Lemma is_symbol_decided alphabet tokens p symbol : ~ In "" alphabet -> In symbol alphabet ->
  (symbol_at alphabet tokens p =? symbol)%string = (token alphabet tokens p =? index alphabet symbol).
Proof.
  intros N I. pose proof (is_symbol alphabet tokens N p symbol I).
  destruct (String.eqb_spec (symbol_at alphabet tokens p) symbol), (Z.eqb_spec (token alphabet tokens p) (index alphabet symbol));
    tauto.
Qed.
Lemma same_symbols_decided alphabet tokens p q : ~ In "" alphabet ->
  (symbol_at alphabet tokens p =? symbol_at alphabet tokens q)%string = (token alphabet tokens p =? token alphabet tokens q).
Proof.
  intros N. pose proof (same_symbols alphabet tokens N p q).
  destruct (String.eqb_spec (symbol_at alphabet tokens p) (symbol_at alphabet tokens q)),
    (Z.eqb_spec (token alphabet tokens p) (token alphabet tokens q)); tauto.
Qed.

(* In turn: that something is, or is not, in lists that are written out; the integers in the place of what is counted, and
   of the positions that are spoken of; and a whole formula, whose definitions are unfolded. *)
Ltac listed := solve [assumption | reflexivity | repeat constructor; cbn; intuition discriminate | cbn; intuition discriminate].
Ltac same_counts alphabet :=
  repeat (rewrite (occurrences_upto_prefix alphabet) by listed); repeat (rewrite (occurrences_count alphabet) by listed).
Ltac same_decisions alphabet :=
  repeat (rewrite (same_symbols_decided alphabet) by listed); repeat (rewrite (is_symbol_decided alphabet) by listed).
Ltac same_place :=
  lazymatch goal with
  | |- is_position _ ?tokens _ <-> _ =>
      rewrite position_between by listed; generalize (length_of tokens); intros; unfold length_of; cbn [List.length]; lia
  | |- _ => apply iff_refl
  end.
Ltac same_formula alphabet :=
  lazymatch goal with
  | |- (_ /\ _) <-> (_ /\ _) => apply Morphisms_Prop.and_iff_morphism; same_formula alphabet
  | |- (_ \/ _) <-> (_ \/ _) => apply Morphisms_Prop.or_iff_morphism; same_formula alphabet
  | |- (forall j, _ -> _) <-> (forall k, _ -> _) =>
      apply everywhere; [intros ?; same_place|intros ?; same_formula alphabet]
  | |- (exists j, _ /\ _) <-> (exists k, _ /\ _) =>
      apply somewhere; [intros ?; same_place|intros ?; same_formula alphabet]
  | |- (~ _) <-> (~ _) => apply neither; same_formula alphabet
  | |- (symbol_at _ _ _ = symbol_at _ _ _) <-> _ => same_counts alphabet; apply same_symbols; listed
  | |- (symbol_at _ _ _ = _) <-> _ => same_counts alphabet; apply is_symbol; listed
  | |- _ => same_counts alphabet; same_decisions alphabet; apply iff_refl
  end.
(* And a number. *)
Ltac same_number alphabet := same_counts alphabet; same_decisions alphabet; reflexivity.
