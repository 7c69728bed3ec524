(* Languages as plain definitions about words, without markers and positions, and that the formulas of the data say the
   same of a word between its markers. *)
Require Import ZArith List String Bool Lia.
From Weightproof Require Import Words Languages.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

(* An odd number of 1s; exactly one. *)
Fixpoint odd_ones (w : list string) : bool :=
  match w with [] => false | symbol :: rest => xorb (String.eqb symbol "1") (odd_ones rest) end.
Fixpoint no_one (w : list string) : bool :=
  match w with [] => true | symbol :: rest => negb (String.eqb symbol "1") && no_one rest end.
Fixpoint exactly_one_one (w : list string) : bool :=
  match w with
  | [] => false
  | symbol :: rest => if String.eqb symbol "1" then no_one rest else exactly_one_one rest
  end.
(* Brackets, 0 opening and 1 closing: balanced behind so many that are open, and nested at most so deep, if a bound is
   given. *)
Definition within (deepest : option Z) (depth : Z) : bool :=
  match deepest with None => true | Some most => depth <=? most end.
Fixpoint balanced (deepest : option Z) (depth : Z) (w : list string) : bool :=
  match w with
  | [] => depth =? 0
  | symbol :: rest =>
      let next := depth + (if String.eqb symbol "0" then 1 else if String.eqb symbol "1" then -1 else 0) in
      (0 <=? next) && within deepest next && balanced deepest next rest
  end.

Lemma occurrences_cons symbol first rest :
  occurrences symbol (first :: rest) = (if String.eqb first symbol then 1 else 0) + occurrences symbol rest.
Proof.
  unfold occurrences. cbn [count_occ]. destruct (string_dec first symbol) as [->|D].
  - rewrite String.eqb_refl. lia.
  - apply String.eqb_neq in D. rewrite D. lia.
Qed.
Lemma occurrences_app symbol some others :
  occurrences symbol (some ++ others) = occurrences symbol some + occurrences symbol others.
Proof. unfold occurrences. rewrite count_occ_app. lia. Qed.
Lemma occurrences_nonnegative symbol some : 0 <= occurrences symbol some.
Proof. unfold occurrences. lia. Qed.
Lemma occurrences_none symbol some : ~ In symbol some -> occurrences symbol some = 0.
Proof. intros N. unfold occurrences. apply (count_occ_not_In string_dec) in N. rewrite N. reflexivity. Qed.

Lemma odd_ones_counted w : odd_ones w = Z.odd (occurrences "1" w).
Proof.
  induction w as [|symbol rest IH]; [reflexivity|]. cbn [odd_ones]. rewrite IH, occurrences_cons, Z.odd_add.
  destruct (String.eqb symbol "1"); reflexivity.
Qed.
Lemma no_one_counted w : no_one w = (occurrences "1" w =? 0).
Proof.
  induction w as [|symbol rest IH]; [reflexivity|]. cbn [no_one]. rewrite IH, occurrences_cons.
  pose proof (occurrences_nonnegative "1" rest). destruct (String.eqb symbol "1"); cbn [negb andb]; [|reflexivity].
  symmetry. apply Z.eqb_neq. lia.
Qed.
Lemma exactly_one_one_counted w : exactly_one_one w = (occurrences "1" w =? 1).
Proof.
  induction w as [|symbol rest IH]; [reflexivity|]. cbn [exactly_one_one]. rewrite IH, no_one_counted, occurrences_cons.
  destruct (String.eqb symbol "1"); [|reflexivity].
  destruct (Z.eqb_spec (occurrences "1" rest) 0), (Z.eqb_spec (1 + occurrences "1" rest) 1); lia.
Qed.

(* The depth behind the first symbols. *)
Definition opened (w : list string) (k : nat) : Z := occurrences "0" (firstn k w) - occurrences "1" (firstn k w).
Lemma balanced_counted deepest w : forall depth, balanced deepest depth w = true <->
  depth + opened w (List.length w) = 0 /\
  forall k, (1 <= k <= List.length w)%nat -> 0 <= depth + opened w k /\ within deepest (depth + opened w k) = true.
Proof.
  induction w as [|symbol rest IH]; intros depth.
  - cbn. rewrite Z.eqb_eq. split; [intros H; split; [lia|intros k K; lia]|lia].
  - cbn [balanced List.length]. cbv zeta.
    set (next := depth + (if String.eqb symbol "0" then 1 else if String.eqb symbol "1" then -1 else 0)).
    assert (E : forall k, depth + opened (symbol :: rest) (S k) = next + opened rest k).
    { intros k. unfold opened, next. rewrite firstn_cons, !occurrences_cons.
      destruct (String.eqb_spec symbol "0") as [->|D]; [change (String.eqb "0" "1") with false; cbv iota; lia|]. destruct (String.eqb symbol "1"); lia. }
    assert (O : opened rest 0 = 0) by reflexivity.
    rewrite !andb_true_iff, IH, Z.leb_le. rewrite <- E. split.
    + intros [[N W] [T A]]. split; [exact T|]. intros [|[|k]] K; [lia| |]; rewrite E.
      * rewrite O, Z.add_0_r. auto.
      * apply A. lia.
    + intros [T A]. pose proof (A 1%nat ltac:(lia)) as H. rewrite E, O, Z.add_0_r in H. split; [exact H|].
      split; [exact T|]. intros k K. rewrite <- E. apply A. lia.
Qed.

Section Marked.
Variables alphabet before word behind : list string.
Hypothesis symbols : Forall (fun symbol => In symbol alphabet) word.
Hypothesis before_is_none : Forall (fun marker => ~ In marker alphabet) before.
Hypothesis behind_is_none : Forall (fun marker => ~ In marker alphabet) behind.
Hypothesis nothing_is_none : ~ In "" alphabet.
Let tokens : list string := (before ++ word ++ behind)%list.

Lemma marker_is_not some symbol : Forall (fun marker => ~ In marker alphabet) some -> In symbol alphabet -> ~ In symbol some.
Proof. rewrite Forall_forall. intros F I J. exact (F symbol J I). Qed.
Lemma occurrences_marked symbol : In symbol alphabet -> occurrences symbol tokens = occurrences symbol word.
Proof.
  intros I. unfold tokens. rewrite !occurrences_app.
  rewrite (occurrences_none symbol before), (occurrences_none symbol behind) by (apply marker_is_not; assumption). lia.
Qed.
Lemma occurrences_upto_marked symbol k : In symbol alphabet -> (k <= List.length word)%nat ->
  occurrences_upto symbol tokens (length_of before + Z.of_nat k - 1) = occurrences symbol (firstn k word).
Proof.
  intros I K. unfold occurrences_upto, tokens, length_of.
  replace (Z.to_nat (_ + 1)) with (List.length before + k)%nat by lia.
  rewrite firstn_app_2, firstn_app, occurrences_app, occurrences_app.
  replace (k - List.length word)%nat with O by lia. cbn [firstn].
  rewrite (occurrences_none symbol before) by (apply marker_is_not; assumption). reflexivity || (cbn; lia).
Qed.

Lemma odd_ones_formula : In "1" alphabet -> occurrences "1" tokens mod 2 = 1 <-> odd_ones word = true.
Proof.
  intros I. rewrite occurrences_marked, odd_ones_counted, Zmod_odd by exact I.
  destruct (Z.odd _); split; intros; congruence.
Qed.
Lemma exactly_one_one_formula : In "1" alphabet -> occurrences "1" tokens = 1 <-> exactly_one_one word = true.
Proof. intros I. rewrite occurrences_marked, exactly_one_one_counted, Z.eqb_eq by exact I. reflexivity. Qed.

Lemma symbol_at_marked k : (k < List.length word)%nat ->
  symbol_at alphabet tokens (length_of before + Z.of_nat k) = nth k word "".
Proof.
  intros K. unfold symbol_at, tokens, length_of. cbv zeta. destruct (Z.ltb_spec (Z.of_nat (List.length before) + Z.of_nat k) 0); [lia|].
  replace (Z.to_nat _) with (List.length before + k)%nat by lia. rewrite app_nth2_plus, app_nth1 by exact K.
  destruct (in_dec string_dec (nth k word "") alphabet) as [|N]; [reflexivity|].
  destruct N. rewrite Forall_forall in symbols. apply symbols, nth_In, K.
Qed.
Lemma position_marked p :
  is_position alphabet tokens p <-> exists k, (k < List.length word)%nat /\ p = length_of before + Z.of_nat k.
Proof.
  unfold tokens. rewrite position_between by assumption. rewrite word_length. unfold length_of. split.
  - intros H. exists (Z.to_nat (p - Z.of_nat (List.length before))). lia.
  - intros (k & K & ->). lia.
Qed.

Lemma starts_with_one_formula first : first = length_of before -> In "1" alphabet ->
  symbol_at alphabet tokens first = "1" <-> hd_error word = Some "1".
Proof.
  intros L I. destruct (Nat.ltb_spec 0 (List.length word)) as [K|K].
  - replace first with (length_of before + Z.of_nat 0) by lia. rewrite symbol_at_marked by exact K. revert K. clear.
    destruct word; cbn; [lia|]. intros _. split; congruence.
  - assert (E : List.length word = O) by lia. apply length_zero_iff_nil in E. split; intros H.
    + assert (P : is_position alphabet tokens first) by (unfold is_position; rewrite H; exact I).
      apply position_marked in P. destruct P as (k & P & _). lia.
    + rewrite E in H. discriminate.
Qed.

Lemma palindrome_formula : List.length before = List.length behind ->
  (forall j, is_position alphabet tokens j -> 2 * j > length_of tokens - 1 \/
    symbol_at alphabet tokens j = symbol_at alphabet tokens (length_of tokens - 1 - j)) <-> word = rev word.
Proof.
  intros B. assert (M : forall k, (k < List.length word)%nat ->
    length_of tokens - 1 - (length_of before + Z.of_nat k) = length_of before + Z.of_nat (List.length word - S k)).
  { intros k K. unfold tokens. rewrite word_length. unfold length_of. lia. }
  assert (S : forall k, (k < List.length word)%nat ->
    (symbol_at alphabet tokens (length_of before + Z.of_nat k)
      = symbol_at alphabet tokens (length_of tokens - 1 - (length_of before + Z.of_nat k))
      <-> nth k word "" = nth k (rev word) "")).
  { intros k K. rewrite M, !symbol_at_marked, rev_nth by lia. reflexivity. }
  split.
  - intros H. apply (nth_ext _ _ "" ""); [symmetry; apply rev_length|]. intros k K.
    destruct (Nat.ltb_spec (2 * k) (List.length word)) as [L|L].
    + destruct (H (length_of before + Z.of_nat k)) as [F|F]; [apply position_marked; eauto| |apply S; assumption].
      specialize (M k K). lia.
    + rewrite rev_nth by exact K. set (m := (List.length word - Datatypes.S k)%nat).
      assert (m < List.length word)%nat by lia.
      destruct (H (length_of before + Z.of_nat m)) as [F|F]; [apply position_marked; eauto| |].
      * specialize (M m ltac:(assumption)). lia.
      * apply S in F; [|assumption]. rewrite rev_nth in F by assumption. rewrite F. f_equal. lia.
  - intros H j J. apply position_marked in J. destruct J as (k & K & ->). right. apply S; [exact K|].
    rewrite <- H. reflexivity.
Qed.

Lemma depths_marked (P : Z -> Prop) : In "0" alphabet -> In "1" alphabet ->
  (forall j, is_position alphabet tokens j -> P (occurrences_upto "0" tokens j - occurrences_upto "1" tokens j)) <->
  (forall k, (1 <= k <= List.length word)%nat -> P (0 + opened word k)).
Proof.
  intros I0 I1. unfold opened. split; intros H.
  - intros k K. specialize (H (length_of before + Z.of_nat k - 1)).
    rewrite !occurrences_upto_marked in H by (assumption || lia). apply H. apply position_marked.
    exists (k - 1)%nat. lia.
  - intros j J. apply position_marked in J. destruct J as (k & K & ->).
    replace (length_of before + Z.of_nat k) with (length_of before + Z.of_nat (S k) - 1) by lia.
    rewrite !occurrences_upto_marked by (assumption || lia). apply H. lia.
Qed.
Lemma balance_marked : In "0" alphabet -> In "1" alphabet ->
  occurrences "1" tokens = occurrences "0" tokens <-> 0 + opened word (List.length word) = 0.
Proof. intros I0 I1. rewrite !occurrences_marked by assumption. unfold opened. rewrite firstn_all. lia. Qed.
Lemma balanced_formula : In "0" alphabet -> In "1" alphabet ->
  (occurrences "1" tokens = occurrences "0" tokens /\
   forall j, is_position alphabet tokens j -> occurrences_upto "1" tokens j <= occurrences_upto "0" tokens j)
  <-> balanced None 0 word = true.
Proof.
  intros I0 I1. rewrite balanced_counted, <- balance_marked by assumption. apply and_iff_compat_l.
  rewrite <- (depths_marked (fun depth => 0 <= depth /\ within None depth = true)) by assumption.
  split; intros H j J; specialize (H j J); cbn in *; [split; [lia|reflexivity]|lia].
Qed.
Lemma balanced_within_formula most : In "0" alphabet -> In "1" alphabet ->
  (occurrences "1" tokens = occurrences "0" tokens /\
   forall j, is_position alphabet tokens j ->
     occurrences_upto "1" tokens j <= occurrences_upto "0" tokens j /\
     occurrences_upto "0" tokens j - occurrences_upto "1" tokens j <= most)
  <-> balanced (Some most) 0 word = true.
Proof.
  intros I0 I1. rewrite balanced_counted, <- balance_marked by assumption. apply and_iff_compat_l.
  rewrite <- (depths_marked (fun depth => 0 <= depth /\ within (Some most) depth = true)) by assumption.
  split; intros H j J; specialize (H j J); cbn [within] in *; rewrite ?Z.leb_le in *; lia.
Qed.
End Marked.
