(* Words between markers, and the integers that closed forms speak of: n, tokens, counts, and counts of prefixes. *)
Require Import ZArith List String Bool Lia.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

(* The place of a symbol in an alphabet; -1 for what is no symbol. *)
Fixpoint index (alphabet : list string) (symbol : string) : Z :=
  match alphabet with
  | [] => -1
  | other :: rest =>
      if String.eqb symbol other then 0 else let behind := index rest symbol in if behind <? 0 then -1 else behind + 1
  end.
Definition length_of (tokens : list string) : Z := Z.of_nat (List.length tokens).
(* The index of the token at a position; -1 for a marker, and where there is no position. *)
Definition token (alphabet tokens : list string) (p : Z) : Z :=
  if p <? 0 then -1 else index alphabet (nth (Z.to_nat p) tokens "").
(* How many of the first tokens have an index, and how many of those at positions 0, ..., p, and of all. *)
Fixpoint upto (alphabet tokens : list string) (a : Z) (count : nat) : Z :=
  match count with
  | O => 0
  | S before => upto alphabet tokens a before + if token alphabet tokens (Z.of_nat before) =? a then 1 else 0
  end.
Definition prefix (alphabet tokens : list string) (a p : Z) : Z := upto alphabet tokens a (Z.to_nat (p + 1)).
Definition count (alphabet tokens : list string) (a : Z) : Z := upto alphabet tokens a (List.length tokens).
(* All indices, for sums over the alphabet. *)
Definition indices (alphabet : list string) : list Z := List.map Z.of_nat (seq 0 (List.length alphabet)).
Definition added (values : list Z) : Z := fold_right Z.add 0 values.

Lemma index_range alphabet symbol : -1 <= index alphabet symbol < Z.of_nat (List.length alphabet).
Proof.
  induction alphabet as [|other rest IH]; cbn [index List.length]; [lia|]. rewrite Nat2Z.inj_succ.
  destruct (String.eqb symbol other); [lia|]. cbv zeta. destruct (Z.ltb_spec (index rest symbol) 0); lia.
Qed.
Lemma index_symbol alphabet symbol : In symbol alphabet <-> 0 <= index alphabet symbol.
Proof.
  induction alphabet as [|other rest IH]; cbn [index In]; [lia|]. cbv zeta.
  destruct (String.eqb_spec symbol other) as [->|E]; [intuition lia|].
  destruct (Z.ltb_spec (index rest symbol) 0); split; intros H'.
  - destruct H' as [H'|H']; [congruence|]. apply IH in H'. lia.
  - lia.
  - lia.
  - right. apply IH. lia.
Qed.

Section Marked.
(* A word over an alphabet, with what stands before and behind it. *)
Variables alphabet before behind word : list string.
Hypothesis symbols : Forall (fun symbol => In symbol alphabet) word.
Hypothesis before_is_none : Forall (fun marker => ~ In marker alphabet) before.
Hypothesis behind_is_none : Forall (fun marker => ~ In marker alphabet) behind.
Hypothesis nothing_is_none : ~ In "" alphabet.
Let tokens : list string := (before ++ word ++ behind)%list.
Let first : Z := length_of before.
Let n : Z := length_of tokens.
Let last : Z := n - 1 - length_of behind.

Lemma word_length : n = first + length_of word + length_of behind.
Proof. unfold n, first, tokens, length_of. rewrite !app_length. lia. Qed.
Lemma last_is : last = first + length_of word - 1.
Proof. unfold last. rewrite word_length. lia. Qed.

Lemma token_range p : -1 <= token alphabet tokens p < Z.of_nat (List.length alphabet).
Proof. unfold token. destruct (p <? 0); [lia|apply index_range]. Qed.
Lemma outside symbol : ~ In symbol alphabet -> index alphabet symbol = -1.
Proof. rewrite index_symbol. pose proof (index_range alphabet symbol). lia. Qed.
Lemma token_symbol p : first <= p <= last -> 0 <= token alphabet tokens p.
Proof.
  rewrite last_is. unfold first, length_of, token, tokens. intros H. destruct (Z.ltb_spec p 0) as [L|L]; [lia|].
  apply index_symbol. rewrite app_nth2, app_nth1 by lia.
  rewrite Forall_forall in symbols. apply symbols, nth_In. lia.
Qed.
Lemma token_none p : p < first \/ last < p -> token alphabet tokens p = -1.
Proof.
  rewrite last_is. unfold first, length_of, token, tokens. intros H. destruct (Z.ltb_spec p 0) as [L|L]; [reflexivity|].
  apply outside. destruct H as [H|H].
  - rewrite app_nth1 by lia. rewrite Forall_forall in before_is_none. apply before_is_none, nth_In. lia.
  - rewrite !app_nth2 by lia. set (q := (_ - _ - _)%nat).
    destruct (Nat.ltb_spec q (List.length behind)) as [I|I].
    + rewrite Forall_forall in behind_is_none. apply behind_is_none, nth_In. lia.
    + rewrite nth_overflow by lia. exact nothing_is_none.
Qed.

Lemma prefix_step a p : 0 <= p ->
  prefix alphabet tokens a p = prefix alphabet tokens a (p - 1) + if token alphabet tokens p =? a then 1 else 0.
Proof.
  intros H. unfold prefix. replace (Z.to_nat (p + 1)) with (S (Z.to_nat p)) by lia. cbn [upto].
  rewrite Z2Nat.id by lia. do 2 f_equal. lia.
Qed.
Lemma prefix_start a p : 0 <= a -> p < first -> prefix alphabet tokens a p = 0.
Proof.
  intros A H. unfold prefix. enough (forall m, (m <= Z.to_nat (p + 1))%nat -> upto alphabet tokens a m = 0) by auto.
  induction m; intros M; cbn [upto]; [reflexivity|]. rewrite IHm by lia. rewrite token_none by lia.
  destruct (Z.eqb_spec (-1) a); lia.
Qed.
Lemma upto_grows a m : 0 <= upto alphabet tokens a m <= upto alphabet tokens a (S m).
Proof. induction m; cbn [upto] in *; repeat destruct (_ =? _); lia. Qed.
Lemma upto_monotone a k m : (k <= m)%nat -> upto alphabet tokens a k <= upto alphabet tokens a m.
Proof. induction 1; [lia|]. pose proof (upto_grows a m). lia. Qed.
Lemma prefix_nonnegative a p : 0 <= prefix alphabet tokens a p.
Proof. unfold prefix. apply upto_grows. Qed.
Lemma prefix_monotone a p q : p <= q -> prefix alphabet tokens a p <= prefix alphabet tokens a q.
Proof. intros H. unfold prefix. apply upto_monotone. lia. Qed.
Lemma prefix_whole a : prefix alphabet tokens a (n - 1) = count alphabet tokens a.
Proof. unfold prefix, count, n, length_of. f_equal. lia. Qed.
Lemma prefix_end a p : 0 <= a -> last <= p -> p <= n - 1 -> prefix alphabet tokens a p = count alphabet tokens a.
Proof.
  intros A H. rewrite <- prefix_whole. remember (n - 1 - p) as k. assert (E : n - 1 = p + k) by lia. rewrite E. intros K.
  assert (Hk : 0 <= k) by lia. clear E Heqk K. revert k Hk. refine (natlike_ind _ _ _).
  - f_equal. lia.
  - intros k Hk IH. rewrite (prefix_step a (p + Z.succ k)).
    + replace (p + Z.succ k - 1) with (p + k) by lia. rewrite <- IH, token_none by lia.
      destruct (Z.eqb_spec (-1) a); lia.
    + pose proof last_is. unfold first, length_of in *. lia.
Qed.
Lemma prefix_at_most a p : p <= n - 1 -> prefix alphabet tokens a p <= count alphabet tokens a.
Proof. intros H. rewrite <- prefix_whole. apply prefix_monotone. lia. Qed.

Lemma added_indicators k : forall start t,
  added (List.map (fun a => if t =? a then 1 else 0) (List.map Z.of_nat (seq start k)))
  = if (Z.of_nat start <=? t) && (t <? Z.of_nat start + Z.of_nat k) then 1 else 0.
Proof.
  induction k as [|k IH]; intros start t; cbn [seq List.map added fold_right].
  - destruct (Z.leb_spec (Z.of_nat start) t), (Z.ltb_spec t (Z.of_nat start + Z.of_nat 0)); cbn; lia.
  - unfold added in IH. rewrite IH.
    destruct (Z.eqb_spec t (Z.of_nat start)), (Z.leb_spec (Z.of_nat (S start)) t), (Z.leb_spec (Z.of_nat start) t),
      (Z.ltb_spec t (Z.of_nat (S start) + Z.of_nat k)), (Z.ltb_spec t (Z.of_nat start + Z.of_nat (S k))); cbn; lia.
Qed.
Lemma added_sum (f g : Z -> Z) values :
  added (List.map (fun a => f a + g a) values) = added (List.map f values) + added (List.map g values).
Proof. unfold added. induction values; cbn in *; lia. Qed.
Lemma prefixes_add_up p : first - 1 <= p <= last ->
  added (List.map (fun a => prefix alphabet tokens a p) (indices alphabet)) = p + 1 - first.
Proof.
  pose proof last_is as L. unfold length_of in L.
  intros [H1 H2]. remember (p + 1 - first) as k. assert (E : p = first - 1 + k) by lia. rewrite E in *.
  assert (Hk : 0 <= k) by lia. clear E Heqk H1. revert k Hk H2. refine (natlike_ind _ _ _).
  - intros _. replace (List.map _ (indices alphabet)) with (List.map (fun _ : Z => 0) (indices alphabet)).
    + clear. unfold added. induction (indices alphabet) as [|a rest IH]; [reflexivity|]. cbn [List.map fold_right]. lia.
    + apply map_ext_in. intros a A. symmetry. apply prefix_start; [|lia]. unfold indices in A.
      apply in_map_iff in A. destruct A as (? & <- & _). lia.
  - intros k Hk IH H2.
    rewrite (map_ext _ (fun a => prefix alphabet tokens a (first - 1 + k)
      + if token alphabet tokens (first + k) =? a then 1 else 0)).
    + rewrite added_sum, IH by lia. unfold indices. rewrite added_indicators.
      pose proof (token_symbol (first + k)). pose proof (token_range (first + k)).
      destruct (Z.leb_spec (Z.of_nat 0) (token alphabet tokens (first + k))),
        (Z.ltb_spec (token alphabet tokens (first + k)) (Z.of_nat 0 + Z.of_nat (List.length alphabet))); cbn; lia.
    + intros a. assert (0 <= first) by (unfold first, length_of; lia).
      replace (first - 1 + Z.succ k) with (first + k) by lia. rewrite (prefix_step a (first + k)) by lia.
      replace (first + k - 1) with (first - 1 + k) by lia. reflexivity.
Qed.
Lemma counts_add_up : added (List.map (count alphabet tokens) (indices alphabet)) = length_of word.
Proof.
  rewrite (map_ext_in _ (fun a => prefix alphabet tokens a last)).
  - rewrite prefixes_add_up; rewrite last_is; [lia|]. unfold length_of. lia.
  - intros a A. symmetry. unfold indices in A. apply in_map_iff in A. destruct A as (? & <- & _).
    apply prefix_end; rewrite ?last_is, ?word_length; unfold length_of; lia.
Qed.
End Marked.

(* What is known of the integers of a marked word, all that closed forms rest on. size: of the alphabet; first, behind: the
   number of markers before and behind the word. *)
Record marked_word (size first behind n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z) : Prop := {
  has_room : first + behind <= n;
  token_in_range : forall p, -1 <= token p < size;
  token_is_symbol : forall p, first <= p <= n - 1 - behind -> 0 <= token p;
  token_is_none : forall p, p < first \/ n - 1 - behind < p -> token p = -1;
  prefix_grows : forall a p, 0 <= p -> prefix a p = prefix a (p - 1) + if token p =? a then 1 else 0;
  prefix_begins : forall a p, 0 <= a -> p < first -> prefix a p = 0;
  prefix_is_nonnegative : forall a p, 0 <= prefix a p;
  prefix_within : forall a p, p <= n - 1 -> prefix a p <= count a;
  prefix_ends : forall a p, 0 <= a -> n - 1 - behind <= p <= n - 1 -> prefix a p = count a;
  prefixes_sum : forall p, first - 1 <= p <= n - 1 - behind ->
    added (List.map (fun a => prefix a p) (List.map Z.of_nat (seq 0 (Z.to_nat size)))) = p + 1 - first;
  counts_sum : added (List.map count (List.map Z.of_nat (seq 0 (Z.to_nat size)))) = n - first - behind;
  count_is_nonnegative : forall a, 0 <= count a }.

Lemma is_marked_word alphabet before behind word :
  Forall (fun symbol => In symbol alphabet) word -> Forall (fun marker => ~ In marker alphabet) before ->
  Forall (fun marker => ~ In marker alphabet) behind -> ~ In "" alphabet ->
  let tokens := (before ++ word ++ behind)%list in
  marked_word (Z.of_nat (List.length alphabet)) (length_of before) (length_of behind) (length_of tokens)
    (token alphabet tokens) (prefix alphabet tokens) (count alphabet tokens).
Proof.
  intros W B E N tokens. pose proof (word_length before behind word) as L. fold tokens in L.
  assert (0 <= length_of word) by (unfold length_of; lia).
  constructor.
  - lia.
  - intros p. exact (token_range alphabet before behind word p).
  - intros p H'. apply (token_symbol alphabet before behind word); auto.
  - intros p H'. apply (token_none alphabet before behind word); auto.
  - intros a p. apply (prefix_step alphabet before behind word); auto.
  - intros a p. apply (prefix_start alphabet before behind word); auto.
  - intros a p. apply (prefix_nonnegative alphabet before behind word).
  - intros a p. apply (prefix_at_most alphabet before behind word).
  - intros a p A [H1 H2]. apply (prefix_end alphabet before behind word); auto.
  - intros p H'. rewrite Nat2Z.id. apply (prefixes_add_up alphabet before behind word); auto.
  - rewrite Nat2Z.id. rewrite <- (word_length before behind word) || idtac.
    replace (length_of tokens - length_of before - length_of behind) with (length_of word) by lia.
    apply (counts_add_up alphabet before behind word); auto.
  - intros a. apply (upto_grows alphabet before behind word).
Qed.

(* What stands at a position: -1 before the word, -2 behind it, else the index of the symbol. *)
Definition kind (first behind n : Z) (token : Z -> Z) (p : Z) : Z :=
  if p <? first then -1 else if n - 1 - behind <? p then -2 else token p.
Lemma kind_before first behind n token p : p < first -> kind first behind n token p = -1.
Proof. intros H. unfold kind. destruct (Z.ltb_spec p first); [reflexivity|lia]. Qed.
Lemma kind_behind first behind n token p : first <= p -> n - 1 - behind < p -> kind first behind n token p = -2.
Proof.
  intros H G. unfold kind. destruct (Z.ltb_spec p first), (Z.ltb_spec (n - 1 - behind) p); try lia; reflexivity.
Qed.
Lemma kind_symbol first behind n token p : first <= p <= n - 1 - behind -> kind first behind n token p = token p.
Proof.
  intros H. unfold kind. destruct (Z.ltb_spec p first), (Z.ltb_spec (n - 1 - behind) p); try lia; reflexivity.
Qed.
Lemma kind_cases first behind n token p : kind first behind n token p = -1 /\ p < first
  \/ kind first behind n token p = -2 /\ first <= p /\ n - 1 - behind < p
  \/ kind first behind n token p = token p /\ first <= p <= n - 1 - behind.
Proof.
  unfold kind. destruct (Z.ltb_spec p first); [left; split; [reflexivity|lia]|].
  destruct (Z.ltb_spec (n - 1 - behind) p); [right; left; split; [reflexivity|lia]|]. right. right. split; [reflexivity|lia].
Qed.
(* The token with an index. *)
Lemma index_is alphabet symbol a : 0 <= a -> index alphabet symbol = a -> symbol = nth (Z.to_nat a) alphabet "".
Proof.
  revert a. induction alphabet as [|other rest IH]; cbn [index]; intros a A E; [lia|].
  destruct (String.eqb_spec symbol other) as [->|N]; [subst a; reflexivity|]. cbv zeta in E.
  destruct (Z.ltb_spec (index rest symbol) 0); [lia|].
  replace (Z.to_nat a) with (S (Z.to_nat (a - 1))) by lia. cbn [nth]. apply IH; lia.
Qed.
(* What a kind says of a position, of a marked word. *)
Section Kinds.
Variables (size first behind n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z).
Hypothesis known : marked_word size first behind n token prefix count.
Lemma kind_is_before p : kind first behind n token p = -1 -> p < first.
Proof.
  destruct (kind_cases first behind n token p) as [[-> H]|[[-> _]|[-> H]]]; [auto|lia|].
  pose proof (token_is_symbol _ _ _ _ _ _ _ known p H). lia.
Qed.
Lemma kind_is_behind p : kind first behind n token p = -2 -> first <= p /\ n - 1 - behind < p.
Proof.
  destruct (kind_cases first behind n token p) as [[-> _]|[[-> H]|[-> H]]]; [lia|auto|].
  pose proof (token_is_symbol _ _ _ _ _ _ _ known p H). lia.
Qed.
Lemma kind_is_symbol p a : 0 <= a -> kind first behind n token p = a -> first <= p <= n - 1 - behind /\ token p = a.
Proof. destruct (kind_cases first behind n token p) as [[-> _]|[[-> _]|[-> H]]]; [lia|lia|auto]. Qed.
Lemma kind_of_symbol p a : 0 <= a -> token p = a -> kind first behind n token p = a.
Proof.
  intros A T. unfold kind. pose proof (token_is_none _ _ _ _ _ _ _ known p).
  destruct (Z.ltb_spec p first), (Z.ltb_spec (n - 1 - behind) p); lia.
Qed.
Lemma token_inside p : 0 <= token p -> first <= p <= n - 1 - behind.
Proof.
  intros T. destruct (Z.le_gt_cases first p), (Z.le_gt_cases p (n - 1 - behind)); try lia;
    rewrite (token_is_none _ _ _ _ _ _ _ known) in T by lia; lia.
Qed.
Lemma token_outside p : token p = -1 -> p < first \/ n - 1 - behind < p.
Proof. intros T. pose proof (token_is_symbol _ _ _ _ _ _ _ known p). lia. Qed.
Lemma prefix_rises a p q : -1 <= p <= q -> prefix a p <= prefix a q.
Proof.
  intros H. remember (q - p) as k. replace q with (p + k) by lia. assert (K : 0 <= k) by lia. clear Heqk.
  revert k K. refine (natlike_ind _ _ _); [replace (p + 0) with p by lia; lia|]. intros k K IH.
  pose proof (prefix_grows _ _ _ _ _ _ _ known a (p + Z.succ k) ltac:(lia)) as G.
  replace (p + Z.succ k - 1) with (p + k) in G by lia. destruct (token (p + Z.succ k) =? a); lia.
Qed.
(* Where a count grows, the symbol stands at some position between. *)
Lemma some_position a p q : -1 <= p <= q -> prefix a p < prefix a q ->
  exists k : nat, p < Z.of_nat k <= q /\ token (Z.of_nat k) = a.
Proof.
  intros H. remember (q - p) as d. replace q with (p + d) by lia. assert (D : 0 <= d) by lia. clear Heqd.
  revert d D. refine (natlike_ind _ _ _); [replace (p + 0) with p by lia; lia|]. intros d D IH G.
  pose proof (prefix_grows _ _ _ _ _ _ _ known a (p + Z.succ d) ltac:(lia)) as S.
  replace (p + Z.succ d - 1) with (p + d) in S by lia.
  destruct (Z.eqb_spec (token (p + Z.succ d)) a) as [E|E].
  - exists (Z.to_nat (p + Z.succ d)). rewrite Z2Nat.id by lia. split; [lia|exact E].
  - destruct IH as (k & K & T); [lia|]. exists k. split; [lia|exact T].
Qed.
Lemma prefix_grows_by p t a : 0 <= p -> token p = t -> prefix a p = prefix a (p - 1) + if t =? a then 1 else 0.
Proof. intros P <-. apply (prefix_grows _ _ _ _ _ _ _ known), P. Qed.
Lemma prefix_grows_cases a p : 0 <= p -> token p = a /\ prefix a p = prefix a (p - 1) + 1
  \/ token p <> a /\ prefix a p = prefix a (p - 1).
Proof.
  intros P. rewrite (prefix_grows _ _ _ _ _ _ _ known a p P). destruct (Z.eqb_spec (token p) a); [left|right]; lia.
Qed.
End Kinds.
(* Of which places it has been said how counts grow there, and of which two of them. *)
Definition grown_at (p : Z) : Prop := True.
Definition apart (p q : Z) : Prop := True.
(* The tokens of a marked word, as strings. *)
Lemma token_string alphabet tokens p a : 0 <= a -> token alphabet tokens (Z.of_nat p) = a ->
  nth p tokens "" = nth (Z.to_nat a) alphabet "".
Proof.
  unfold token. intros A. destruct (Z.ltb_spec (Z.of_nat p) 0); [lia|]. rewrite Nat2Z.id. apply index_is, A.
Qed.
Lemma last_string before word marker p : S p = List.length (before ++ word ++ [marker])%list ->
  nth p (before ++ word ++ [marker])%list "" = marker.
Proof.
  rewrite !app_length. cbn [List.length]. intros H. rewrite !app_nth2 by lia.
  replace (p - _ - _)%nat with 0%nat by lia. reflexivity.
Qed.
(* That a position is of a kind of symbols. *)
Ltac kind_is := first [assumption
  | match goal with K : kind ?f ?b ?n ?t ?p = ?a |- kind ?f ?b ?n ?t ?q = ?a =>
      exact (eq_trans (f_equal (kind f b n t) (ltac:(lia) : q = p)) K) end
  | rewrite kind_symbol by lia; lia].
