(* The last step, from the closed form of a logit to the language: which brackets hold, what follows for integers, and how
   reals and integers are told about each other. *)
Require Import Reals ZArith List Bool Lra Lia ZifyBool.
From Weightproof Require Import Transformer Words Rules Signs.
Open Scope R_scope.

(* Residues by numerals are known by their quotients. *)
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Lemma bracket_true b : b = true -> bracket b = 1.
Proof. intros ->. reflexivity. Qed.
Lemma bracket_false b : b = false -> bracket b = 0.
Proof. intros ->. reflexivity. Qed.
(* Brackets that are settled by what is known. *)
Ltac settle :=
  repeat match goal with
  | |- context [bracket ?b] => first [rewrite (bracket_true b) by lia | rewrite (bracket_false b) by lia]
  end.
(* And all others, by cases. *)
Ltac by_cases :=
  settle;
  repeat match goal with
  | |- context [bracket ?b] =>
      let E := fresh "E" in destruct b eqn:E; [rewrite (bracket_true true eq_refl)|rewrite (bracket_false false eq_refl)];
      try (exfalso; lia); settle
  end.

(* What is known of the token at a position, of counts by its symbol. *)
Lemma token_facts size first behind n token prefix count :
  marked_word size first behind n token prefix count -> (0 <= first)%Z -> forall p,
  (-1 <= token p < size /\ (first <= p <= n - 1 - behind -> 0 <= token p) /\
  (p < first \/ n - 1 - behind < p -> token p = -1))%Z.
Proof.
  intros M F p. split; [apply (token_in_range _ _ _ _ _ _ _ M)|].
  split; intros H; [apply (token_is_symbol _ _ _ _ _ _ _ M)|apply (token_is_none _ _ _ _ _ _ _ M)]; exact H.
Qed.
Lemma token_counts size first behind n token prefix count :
  marked_word size first behind n token prefix count -> (0 <= first)%Z -> (0 <= behind)%Z ->
  forall p a, (0 <= a -> token p = a -> 1 <= count a)%Z.
Proof.
  intros M F B p a A E. assert (I : (first <= p <= n - 1 - behind)%Z).
  { destruct (Z.le_gt_cases first p), (Z.le_gt_cases p (n - 1 - behind)); try lia;
      rewrite (token_is_none _ _ _ _ _ _ _ M) in E by lia; lia. }
  pose proof (prefix_grows _ _ _ _ _ _ _ M a p ltac:(lia)) as G. rewrite E, Z.eqb_refl in G.
  pose proof (prefix_is_nonnegative _ _ _ _ _ _ _ M a (p - 1)).
  pose proof (prefix_within _ _ _ _ _ _ _ M a p ltac:(lia)). lia.
Qed.

(* Counts up to the positions that a goal speaks of: before the word, at its end, and how they grow at the tokens that
   follow, where these are known of. *)
Lemma prefix_from size first behind n token prefix count :
  marked_word size first behind n token prefix count -> forall a p q, (q = p + 1 -> 0 <= q ->
  token q = a /\ prefix a q = prefix a p + 1 \/ token q <> a /\ prefix a q = prefix a p)%Z.
Proof.
  intros M a p q E Q. replace p with (q - 1)%Z by lia. exact (prefix_grows_cases _ _ _ _ _ _ _ M a q Q).
Qed.
Ltac count_from M a p :=
  pose proof (prefix_begins _ _ _ _ _ _ _ M a p ltac:(lia)); pose proof (prefix_ends _ _ _ _ _ _ _ M a p ltac:(lia));
  lazymatch type of M with marked_word _ _ _ _ ?token _ _ => try match goal with _ : context [token ?q] |- _ =>
    pose proof (prefix_from _ _ _ _ _ _ _ M a p q ltac:(ring)); count_from M a q end end.
Ltac counts_so_far := repeat match goal with M : marked_word _ _ _ _ _ ?prefix _ |- context [?prefix ?a ?p] =>
  lazymatch goal with _ : (p < _)%Z -> prefix a p = 0%Z |- _ => fail | _ => count_from M a p end end.

(* The same where it is known whether the position is one of a symbol, which symbol that is, and which positions are the
   same: what need not be told as an implication costs linear arithmetic less. *)
Ltac token_known known p :=
  pose proof (token_in_range _ _ _ _ _ _ _ known p);
  first
  [ pose proof (token_is_symbol _ _ _ _ _ _ _ known p ltac:(lia))
  | pose proof (token_is_none _ _ _ _ _ _ _ known p ltac:(lia))
  | pose proof (token_inside _ _ _ _ _ _ _ known p ltac:(lia))
  | pose proof (token_outside _ _ _ _ _ _ _ known p ltac:(lia))
  | pose proof (token_is_symbol _ _ _ _ _ _ _ known p); pose proof (token_is_none _ _ _ _ _ _ _ known p) ].
Ltac count_known known p a := lazymatch type of known with marked_word _ _ _ _ ?token _ _ =>
  first
  [ pose proof (token_counts _ _ _ _ _ _ _ known ltac:(lia) ltac:(lia) p a ltac:(lia) ltac:(lia))
  | assert_succeeds (assert (token p <> a) by lia)
  | pose proof (token_counts _ _ _ _ _ _ _ known ltac:(lia) ltac:(lia) p a ltac:(lia)) ] end.
Ltac same_token known p q := lazymatch type of known with marked_word _ _ _ _ ?token _ _ =>
  first
  [ let E := fresh in assert (E : token p = token q) by (f_equal; lia)
  | assert_succeeds (assert (p <> q) by lia)
  | pose proof (fun E : p = q => f_equal token E) ] end.

(* A symbol occurs at least as often as it is the token at places, one behind the other. *)
Fixpoint among (token : Z -> Z) (a : Z) (places : list Z) : Z :=
  match places with nil => 0 | p :: rest => Z.b2z (token p =? a) + among token a rest end%Z.
Fixpoint rising (least : Z) (places : list Z) : Prop :=
  match places with nil => True | p :: rest => (least <= p)%Z /\ rising (p + 1) rest end.
Section Among.
Variables (size first behind n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z).
Hypothesis marked : marked_word size first behind n token prefix count.
Hypotheses (first_is : (0 <= first)%Z) (behind_is : (0 <= behind)%Z).
Lemma prefix_at_most_the_count a p : (0 <= a -> prefix a p <= count a)%Z.
Proof.
  intros A. pose proof (has_room _ _ _ _ _ _ _ marked).
  destruct (Z.le_gt_cases p (n - 1)) as [L|L]; [exact (prefix_within _ _ _ _ _ _ _ marked a p L)|].
  replace p with (n - 1 + Z.of_nat (Z.to_nat (p - (n - 1))))%Z by lia.
  induction (Z.to_nat (p - (n - 1))) as [|k IH].
  - replace (n - 1 + Z.of_nat 0)%Z with (n - 1)%Z by lia. apply (prefix_within _ _ _ _ _ _ _ marked). lia.
  - rewrite (prefix_grows _ _ _ _ _ _ _ marked) by lia.
    rewrite (token_is_none _ _ _ _ _ _ _ marked) by lia.
    destruct (Z.eqb_spec (-1) a); [lia|].
    replace (n - 1 + Z.of_nat (S k) - 1)%Z with (n - 1 + Z.of_nat k)%Z by lia. lia.
Qed.
Lemma among_places a places : (0 <= a)%Z -> forall least, (0 <= least)%Z -> rising least places ->
  (prefix a (least - 1) + among token a places <= count a)%Z.
Proof.
  intros A. induction places as [|p rest IH]; intros least L R; cbn [among rising] in *.
  - pose proof (prefix_at_most_the_count a (least - 1) A). lia.
  - destruct R as [P R]. specialize (IH (p + 1)%Z ltac:(lia) R).
    pose proof (prefix_rises _ _ _ _ _ _ _ marked a (least - 1) (p - 1) ltac:(lia)).
    pose proof (prefix_grows _ _ _ _ _ _ _ marked a p ltac:(lia)) as G.
    replace (p + 1 - 1)%Z with p in IH by lia. destruct (token p =? a); cbn [Z.b2z] in *; lia.
Qed.
End Among.
Ltac counted_among known places a := first
  [ let H := fresh in
    pose proof (among_places _ _ _ _ _ _ _ known ltac:(lia) ltac:(lia) a places ltac:(lia) 0 ltac:(lia)
      ltac:(cbn [rising]; repeat split; lia)) as H;
    rewrite (prefix_begins _ _ _ _ _ _ _ known) in H by lia; cbn [among] in H
  | idtac ].

(* One of several cases holds: those that are out of the question are left aside one by one. *)
Ltac one_of_cases := lazymatch goal with
  | |- ?A \/ _ => first
      [ assert_succeeds (assert (~ A) by lia); right
      | left; solve [repeat apply conj; lia]
      | let D := fresh in assert (D : A \/ ~ A) by lia; destruct D; [left; assumption|right] ];
      one_of_cases
  | |- _ => lia end.

(* A sum over the alphabet, written out. *)
Ltac adding S :=
  cbv [added List.map fold_right seq Z.to_nat Pos.to_nat Pos.iter_op Nat.add Z.of_nat Pos.of_succ_nat Pos.succ] in S.

(* Linear facts about integers, as facts about reals; implications are used where their hypothesis holds. *)
Ltac in_reals H :=
  repeat first [rewrite plus_IZR in H|rewrite minus_IZR in H|rewrite mult_IZR in H|rewrite opp_IZR in H].
Ltac as_reals := repeat first [rewrite plus_IZR|rewrite minus_IZR|rewrite mult_IZR|rewrite opp_IZR].
Ltac settled :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : ?A -> _ |- _ => match type of A with Prop => first [specialize (H ltac:(lia)) | clear H] end
  end.
(* What holds in a case, part by part. *)
Ltac apart C := lazymatch type of C with _ /\ _ => let D := fresh in destruct C as [D C]; apart C | _ => idtac end.
(* Decisions and negations, as what they say of integers. *)
Ltac integers :=
  repeat match goal with
  | H : (_ && _)%bool = true |- _ => apply andb_true_iff in H; destruct H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le in H
  | H : (_ <=? _)%Z = false |- _ => apply Z.leb_gt in H
  | H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H
  | H : ~ (_ <= _)%Z |- _ => apply Z.nle_gt in H
  | H : ~ (_ < _)%Z |- _ => apply Z.nlt_ge in H
  | H : ~ (_ >= _)%Z |- _ => rewrite Z.ge_le_iff in H
  | H : ~ (_ > _)%Z |- _ => rewrite Z.gt_lt_iff in H
  end.
Ltac as_real H K := let R := fresh "R" in pose proof K as R; in_reals R; revert H.
Ltac reals :=
  integers;
  repeat match goal with
  | H : (_ <= _)%Z |- _ => as_real H (IZR_le _ _ H)
  | H : (_ < _)%Z |- _ => as_real H (IZR_le _ _ (Zlt_le_succ _ _ H)); unfold Z.succ in *
  | H : (_ >= _)%Z |- _ => as_real H (IZR_le _ _ (Z.ge_le _ _ H))
  | H : (_ > _)%Z |- _ => as_real H (IZR_le _ _ (Zlt_le_succ _ _ (Z.gt_lt _ _ H))); unfold Z.succ in *
  | H : @eq Z _ _ |- _ => as_real H (f_equal IZR H)
  end;
  intros;
  repeat first [rewrite plus_IZR in *|rewrite minus_IZR in *|rewrite mult_IZR in *|rewrite opp_IZR in *].
Ltac given_apart :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : _ \/ _ |- _ => destruct H
  end.
(* Comparisons of reals in the goal, by their outcomes. *)
Ltac has_outcome a b :=
  match goal with
  | H : ?x < ?y |- _ => constr_eq x a; constr_eq y b
  | H : ?x > ?y |- _ => constr_eq x a; constr_eq y b
  | H : @eq R ?x ?y |- _ => constr_eq x a; constr_eq y b
  end.
Ltac outcome a b := assert_fails (has_outcome a b); destruct (total_order_T a b) as [[?|?]|?].
Ltac outcomes :=
  repeat match goal with
  | |- context [?a < ?b] => outcome a b
  | |- context [?a > ?b] => outcome a b
  | |- context [?a <= ?b] => outcome a b
  | |- context [?a >= ?b] => outcome a b
  | |- context [@eq R ?a ?b] => outcome a b
  end.
(* A statement made of linear ones by and, or, not; reals are told what integers are told. *)
Ltac statement :=
  match goal with
  | |- _ => assumption
  | |- _ /\ _ => split; statement
  | |- _ \/ _ => first [left; solve [statement] | right; solve [statement]]
  | |- ~ _ => let H := fresh in intros H; given_apart; first [contradiction | lia | reals; lra]
  | |- (_ <= _)%Z => first [lia | apply le_IZR; as_reals; lra]
  | |- (_ < _)%Z => first [lia | apply lt_IZR; as_reals; lra]
  | |- (_ >= _)%Z => first [lia | apply Z.le_ge, le_IZR; as_reals; lra]
  | |- (_ > _)%Z => first [lia | apply Z.lt_gt, lt_IZR; as_reals; lra]
  | |- @eq Z _ _ => first [lia | apply eq_IZR; as_reals; lra]
  | |- _ <= _ => lra
  | |- _ < _ => lra
  | |- _ >= _ => lra
  | |- _ > _ => lra
  | |- @eq R _ _ => lra
  | |- False => first [lia | lra]
  end.
Ltac stated := first [solve [exfalso; lia] | reals; first [solve [exfalso; lra] | statement]].
Ltac directions := repeat lazymatch goal with |- _ /\ _ => split | |- _ <-> _ => split end.
Ltac decided := settled; directions; intros; given_apart; settled; stated.

(* The numbers that a logit is compared with: truth values, powers of -1, and exponentials, in those of parameters. *)
Lemma b2z_true b : b = true -> Z.b2z b = 1%Z.
Proof. intros ->. reflexivity. Qed.
Lemma b2z_false b : b = false -> Z.b2z b = 0%Z.
Proof. intros ->. reflexivity. Qed.
Lemma power_even k : (0 <= k -> k mod 2 = 0 -> (-1) ^ k = 1)%Z.
Proof.
  intros K E. change (-1)%Z with (- (1))%Z. rewrite Z.pow_opp_even by (exists (k / 2)%Z; lia). apply Z.pow_1_l, K.
Qed.
Lemma power_odd k : (0 <= k -> k mod 2 = 1 -> (-1) ^ k = -1)%Z.
Proof.
  intros K E. change (-1)%Z with (- (1))%Z. rewrite Z.pow_opp_odd by (exists (k / 2)%Z; lia).
  rewrite Z.pow_1_l by exact K. reflexivity.
Qed.
Ltac valued :=
  repeat match goal with
  | |- context [Z.b2z ?b] => first [rewrite (b2z_true b) by lia | rewrite (b2z_false b) by lia
      | let E := fresh in destruct b eqn:E; unfold Z.b2z]
  | |- context [((-1) ^ ?k)%Z] => first [rewrite (power_even k) by lia | rewrite (power_odd k) by lia]
  end;
  rewrite ?exp_plus, ?exp_Ropp, ?exp_multiple, ?exp_0; cbv beta iota delta [Pos.to_nat Pos.iter_op Init.Nat.add].
(* That two of them are the same: as rational functions, or by what is known of counts and of what has one value. *)
Ltac known_counts := idtac.
Ltac eliminated := known_counts; as_reals; repeat match goal with
  | E : @eq Z ?x ?v |- context [IZR ?x] => lazymatch v with context [x] => fail | _ => rewrite E end end; as_reals.
Ltac same_logarithms := repeat match goal with |- context [ln ?x] => match goal with |- context [ln ?y] =>
  assert_fails (constr_eq x y); replace (ln y) with (ln x) by (f_equal; ring) end end.
Ltac same_value := as_reals; valued; same_logarithms; first [solve [field; nonzero] | eliminated; field; nonzero].
