(* Signs of polynomials and quotients: what a certificate is checked by. A polynomial is positive that is written in what
   is not negative with positive coefficients alone, one of its monomials of what is positive. *)
Require Import Reals ZArith Lra Lia.
Open Scope R_scope.

(* What a goal says of sums, products, powers and inverses, from what is known of their parts. *)
Ltac nonnegative :=
  match goal with
  | |- _ => assumption
  | H : 0 < ?x |- 0 <= ?x => exact (Rlt_le 0 x H)
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nonnegative
  | |- 0 <= _ * _ => apply Rmult_le_pos; nonnegative
  | |- 0 <= _ ^ _ => apply pow_le; nonnegative
  | |- 0 <= / _ => apply Rlt_le, Rinv_0_lt_compat; positive
  | |- _ => lra
  end
with positive :=
  match goal with
  | |- _ => assumption
  | |- 0 < _ + _ => apply Rplus_lt_le_0_compat; [positive|nonnegative]
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; positive
  | |- 0 < _ / _ => apply Rmult_lt_0_compat; [positive|apply Rinv_0_lt_compat; positive]
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 < _ ^ _ => apply pow_lt; positive
  | |- _ => lra
  end.
(* What the denominators of a quotient must not be: each is known to be positive or negative. *)
Ltac nonzero := repeat split; let H := fresh in intros H; lra.

(* The sign of a product with a positive number, and of an integer. *)
Lemma positive_product p f : 0 < p -> (p * f > 0 <-> f > 0).
Proof.
  intros P. split; intros H.
  - destruct (Rlt_le_dec 0 f) as [F|F]; [exact F|]. pose proof (Rmult_le_compat_l p f 0 (Rlt_le 0 p P) F). lra.
  - apply Rmult_lt_0_compat; assumption.
Qed.
Lemma zero_product p f : 0 < p -> (p * f = 0 <-> f = 0).
Proof. intros P. split; [intros H; apply Rmult_integral in H; lra|intros ->; ring]. Qed.
Lemma positive_integer z : IZR z > 0 <-> (z > 0)%Z.
Proof. split; intros H; [apply lt_IZR in H|apply IZR_lt]; lia. Qed.
Lemma zero_integer z : IZR z = 0 <-> (z = 0)%Z.
Proof. split; intros H; [apply eq_IZR in H; exact H|rewrite H; reflexivity]. Qed.
Lemma least_integer z : (0 <= z)%Z -> 0 <= IZR z.
Proof. exact (IZR_le 0 z). Qed.

(* Powers of e, and of what is more than 1. *)
Lemma exp_above_1 c : 0 < c -> 1 < exp c.
Proof. intros H. rewrite <- exp_0. apply exp_increasing, H. Qed.
Lemma exp_at_least_1 c : 0 <= c -> 1 <= exp c.
Proof. intros [H|<-]; [left; apply exp_above_1, H|right; symmetry; apply exp_0]. Qed.
Lemma exp_above b c : 0 < b -> ln b < c -> b < exp c.
Proof. intros B H. rewrite <- (exp_ln b B). apply exp_increasing, H. Qed.
Lemma exp_at_least b c : 0 < b -> ln b <= c -> b <= exp c.
Proof. intros B [H| <-]; [left; apply exp_above; assumption|right; symmetry; apply exp_ln, B]. Qed.
(* Logarithms. *)
Lemma logarithm_above x : 1 < x -> 0 < ln x.
Proof. intros X. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma logarithm_below x : 0 < x -> x < 1 -> 0 < - ln x.
Proof. intros P X. pose proof (ln_increasing x 1 P X). rewrite ln_1 in *. lra. Qed.
(* Bernoulli's inequality. *)
Lemma power_at_least b u k : 1 <= b -> b <= u -> 1 + INR k * (b - 1) <= u ^ k.
Proof.
  intros B U. induction k as [|k IH]; [cbn; lra|]. rewrite S_INR. cbn [pow].
  assert (0 <= INR k * (b - 1)) by (apply Rmult_le_pos; [apply pos_INR|lra]).
  assert ((u - 1) * 1 <= (u - 1) * u ^ k) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma power_above_1 u k : 1 < u -> (0 < k)%nat -> 1 < u ^ k.
Proof. intros U K. apply Rlt_pow_R1; assumption. Qed.
Lemma powerRZ_succeeds u z : 0 < u -> powerRZ u (z + 1) = u * powerRZ u z.
Proof. intros U. rewrite powerRZ_add by lra. rewrite powerRZ_1. ring. Qed.
Lemma powerRZ_at_least_1 u z : 1 <= u -> (0 <= z)%Z -> 1 <= powerRZ u z.
Proof.
  intros U Z. rewrite <- (Z2Nat.id z Z), <- pow_powerRZ. apply pow_R1_Rle, U.
Qed.
Lemma powerRZ_at_least b u z k : 1 <= b -> b <= u -> (Z.of_nat k <= z)%Z -> b ^ k <= powerRZ u z.
Proof.
  intros B U K. replace z with (Z.of_nat (Z.to_nat z)) by lia. rewrite <- pow_powerRZ.
  apply Rle_trans with (u ^ k); [apply pow_incr; lra|]. apply Rle_pow; [lra|lia].
Qed.
