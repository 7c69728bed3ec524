(* Sums of powers of e by pairs of neighbours: a sum over a run of positions is positive where what each two neighbours
   add is, and what is left alone at the end. Powers of e compare by their exponents, scales by their squares. *)
Require Import Reals ZArith Lra Lia.
From Weightproof Require Import Transformer Words Rules Signs Deciding Inductions.
Open Scope R_scope.

(* Signs of sums. *)
Lemma sum_over_nonnegative lo hi f : (forall j, (lo <= j <= hi)%Z -> 0 <= f j) -> 0 <= sum_over lo hi f.
Proof. intros H. unfold sum_over. apply sum_nonnegative. intros j J. apply H. lia. Qed.
Lemma sum_over_above lo hi f : (lo <= hi)%Z -> 0 < f lo -> (forall j, (lo <= j <= hi)%Z -> 0 <= f j) ->
  0 < sum_over lo hi f.
Proof.
  intros L F H. unfold sum_over. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - lo))) by lia.
  rewrite sum_first. change (Z.of_nat 0) with 0%Z. rewrite Z.add_0_r.
  assert (0 <= sum (Z.to_nat (hi - lo)) (fun j => f (lo + Z.of_nat (S j))%Z)).
  { apply sum_nonnegative. intros j J. apply H. lia. }
  lra.
Qed.
Lemma sum_over_split lo p hi f : (lo <= p <= hi)%Z ->
  sum_over lo hi f = sum_over lo (p - 1) f + f p + sum_over (p + 1) hi f.
Proof.
  intros [L H]. apply (over_positions (fun hi => sum_over lo hi f = sum_over lo (p - 1) f + f p + sum_over (p + 1) hi f) p);
    [|intros j J E|exact H].
  - rewrite (sum_over_none (p + 1)) by lia. rewrite sum_over_step by lia. lra.
  - rewrite !sum_over_next by lia. rewrite E. lra.
Qed.

(* A run of positions. *)
Section Pairs.
Variables (lo hi : Z) (f : Z -> R).
Definition each_pair (holds : R -> Prop) : Prop :=
  forall j, (lo <= j)%Z -> (j + 1 <= hi)%Z -> ((j - lo) mod 2 = 0)%Z -> holds (f j + f (j + 1)%Z).
Definition left_alone (holds : R -> Prop) : Prop := (lo <= hi)%Z -> ((hi - lo + 1) mod 2 = 1)%Z -> holds (f hi).

Lemma pairs_begin k : each_pair (Rle 0) -> (lo + 2 * Z.of_nat k - 1 <= hi)%Z ->
  0 <= sum_over lo (lo + 2 * Z.of_nat k - 1) f.
Proof.
  intros H. induction k as [|k IH]; intros K; [rewrite sum_over_none by lia; lra|].
  replace (lo + 2 * Z.of_nat (S k) - 1)%Z with (lo + 2 * Z.of_nat k - 1 + 1 + 1)%Z by lia.
  rewrite !sum_over_next by lia. specialize (IH ltac:(lia)).
  pose proof (H (lo + 2 * Z.of_nat k - 1 + 1)%Z ltac:(lia) ltac:(lia) ltac:(Z.to_euclidean_division_equations; lia)). lra.
Qed.
Lemma run_ends : (lo - 1 <= hi)%Z -> exists k : nat, (hi = lo + 2 * Z.of_nat k - 1)%Z
  \/ (hi = lo + 2 * Z.of_nat k - 1 + 1 /\ (hi - lo + 1) mod 2 = 1)%Z.
Proof.
  intros L. exists (Z.to_nat ((hi - lo + 1) / 2)). rewrite Z2Nat.id by (apply Z.div_pos; lia).
  Z.to_euclidean_division_equations. lia.
Qed.
Lemma run_at_least_0 : each_pair (Rle 0) -> left_alone (Rle 0) -> 0 <= sum_over lo hi f.
Proof.
  intros H G. destruct (Z_lt_ge_dec hi lo) as [L|L]; [rewrite sum_over_none by lia; lra|].
  destruct (run_ends ltac:(lia)) as (k & [E|[E O]]).
  - rewrite E. apply pairs_begin; [exact H|lia].
  - pose proof (pairs_begin k H ltac:(lia)). specialize (G ltac:(lia) O). rewrite E in G |- *.
    rewrite sum_over_next by lia. lra.
Qed.
Lemma run_above_by_last : (lo <= hi)%Z -> ((hi - lo + 1) mod 2 = 1)%Z -> each_pair (Rle 0) -> left_alone (Rlt 0) ->
  0 < sum_over lo hi f.
Proof.
  intros L O H G. destruct (run_ends ltac:(lia)) as (k & [E|[E _]]).
  - exfalso. Z.to_euclidean_division_equations. lia.
  - pose proof (pairs_begin k H ltac:(lia)). specialize (G L O). rewrite E in G |- *. rewrite sum_over_next by lia. lra.
Qed.
End Pairs.
Lemma run_above_by_pairs lo hi f : (lo + 1 <= hi)%Z -> each_pair lo hi f (Rlt 0) -> left_alone lo hi f (Rle 0) ->
  0 < sum_over lo hi f.
Proof.
  intros L H G. pose proof (H lo ltac:(lia) L ltac:(rewrite Z.sub_diag; reflexivity)).
  assert (E : sum_over lo hi f = f lo + f (lo + 1)%Z + sum_over (lo + 2) hi f).
  { rewrite (sum_over_split lo lo), (sum_over_split (lo + 1) (lo + 1)) by lia.
    rewrite (sum_over_none lo), (sum_over_none (lo + 1)) by lia. replace (lo + 1 + 1)%Z with (lo + 2)%Z by lia. lra. }
  assert (0 <= sum_over (lo + 2) hi f).
  { apply run_at_least_0; unfold each_pair, left_alone in *.
    - intros j J K M. apply Rlt_le, H; [lia|lia|]. Z.to_euclidean_division_equations. lia.
    - intros J M. apply G; [lia|]. Z.to_euclidean_division_equations. lia. }
  lra.
Qed.

(* A scale is at most a multiple of another one where this is so of the squares. *)
Lemma scale_at_most x X y Y r : 0 < x /\ x * x * X = 1 -> 0 < y /\ y * y * Y = 1 -> 0 <= r -> 0 <= r * r * X - Y ->
  x <= r * y.
Proof.
  intros [P E] [Q F] R0 H. destruct (Rle_lt_dec x (r * y)) as [L|L]; [exact L|exfalso].
  assert (0 <= r * y) by (apply Rmult_le_pos; lra).
  assert (S : r * y * (r * y) < x * x) by (apply Rmult_le_0_lt_compat; assumption).
  assert (0 < X) by (apply (Rmult_lt_reg_l (x * x)); [nra|rewrite E; lra]).
  assert (0 < Y) by (apply (Rmult_lt_reg_l (y * y)); [nra|rewrite F; lra]).
  assert (T : r * y * (r * y) * (X * Y) < x * x * (X * Y)) by (apply Rmult_lt_compat_r; [nra|exact S]).
  replace (r * y * (r * y) * (X * Y)) with (r * r * X * (y * y * Y)) in T by ring.
  replace (x * x * (X * Y)) with (x * x * X * Y) in T by ring. rewrite E, F in T. lra.
Qed.

(* Powers of e. *)
Lemma exp_at_most x y : x <= y -> exp x <= exp y.
Proof. intros [H|<-]; [left; apply exp_increasing, H|right; reflexivity]. Qed.
Lemma power_of_e x k : exp x ^ k = exp (INR k * x).
Proof.
  induction k as [|k IH]; [cbn; rewrite Rmult_0_l, exp_0; reflexivity|].
  cbn [pow]. rewrite IH, <- exp_plus, S_INR. f_equal. ring.
Qed.
Ltac exponents := unfold Rdiv; repeat first [rewrite power_of_e | rewrite <- exp_Ropp | rewrite <- exp_plus];
  f_equal; cbn [INR]; ring.
Ltac same_powers := repeat match goal with |- context [exp ?x] => match goal with |- context [exp ?y] =>
  assert_fails (constr_eq x y); replace (exp y) with (exp x) by (f_equal; ring) end end.
(* The ends of runs, as they are written. *)
Ltac in_place last first := repeat match goal with |- context [sum_over ?lo ?hi ?f] => first
  [ assert_fails (constr_eq hi last); replace hi with last by lia
  | assert_fails (constr_eq lo first); replace lo with first by lia ] end.
