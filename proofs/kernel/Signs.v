(* Signs of polynomials and quotients: what a certificate is checked by. A polynomial is positive that is written in what
   is not negative with positive coefficients alone, one of its monomials of what is positive. *)
Require Import Reals ZArith QArith Qreals Lra Lia.
From Weightproof Require Sums Bounds.
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
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
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
Lemma nonzero_product p f : 0 < p -> (p * f <> 0 <-> f <> 0).
Proof. intros P. pose proof (zero_product p f P). tauto. Qed.
Lemma nonzero_integer z : IZR z <> 0 <-> (z <> 0)%Z.
Proof. pose proof (zero_integer z). tauto. Qed.
Lemma negative_product p f : 0 < p -> (p * f < 0 <-> f < 0).
Proof.
  intros P. pose proof (positive_product p (- f) P) as H. replace (p * - f) with (- (p * f)) in H by ring.
  split; intros L; [enough (- f > 0) by lra|enough (- (p * f) > 0) by lra]; apply H; lra.
Qed.
Lemma negative_integer z : IZR z < 0 <-> (z < 0)%Z.
Proof. split; intros H; [apply lt_IZR in H|apply IZR_lt]; lia. Qed.
Lemma nonnegative_product p f : 0 < p -> (p * f >= 0 <-> f >= 0).
Proof. intros P. pose proof (negative_product p f P). lra. Qed.
Lemma nonnegative_integer z : IZR z >= 0 <-> (z >= 0)%Z.
Proof. split; intros H; [apply Rge_le, le_IZR in H; lia|apply Rle_ge, IZR_le; lia]. Qed.
Lemma nonpositive_product p f : 0 < p -> (p * f <= 0 <-> f <= 0).
Proof. intros P. pose proof (positive_product p f P). lra. Qed.
Lemma nonpositive_integer z : IZR z <= 0 <-> (z <= 0)%Z.
Proof. split; intros H; [apply le_IZR in H|apply IZR_le]; lia. Qed.
Lemma at_least_0_by p f x : 0 < p -> 0 <= f -> x = p * f -> 0 <= x.
Proof. intros P F ->. apply Rmult_le_pos; lra. Qed.
(* A number times the sign of a value, as a last norm without epsilon leaves it: r is 1 over the root of q v^2. *)
Lemma of_sign s r v q k : 0 < r -> 0 < k -> q * k = 1 -> r * r * (q * v ^ 2) = 1 ->
  (v > 0 -> s * (r * v / sqrt k) = s) /\ (v < 0 -> s * (r * v / sqrt k) = - s).
Proof.
  intros R K E S. pose proof (sqrt_lt_R0 k K) as P.
  assert (Q : r * v * (r * v) = k) by (replace k with (k * (r * r * (q * v ^ 2))) by (rewrite S; ring);
    replace (k * (r * r * (q * v ^ 2))) with (q * k * (r * v * (r * v))) by ring; rewrite E; ring).
  split; intros V.
  - rewrite (sqrt_lem_1 k (r * v)) in * by (first [lra | apply Rmult_le_pos; lra]). field.
    split; lra.
  - rewrite (sqrt_lem_1 k (r * - v)) in * by (first [lra | apply Rmult_le_pos; lra | rewrite <- Q; ring]). field.
    split; lra.
Qed.
Lemma sign_as_before l v s : 0 < s -> v <> 0 -> (v > 0 -> l = s) /\ (v < 0 -> l = - s) ->
  l <> 0 /\ (l > 0 <-> v > 0).
Proof.
  intros S V [A B]. destruct (Rtotal_order v 0) as [L|[L|L]]; [specialize (B L)|contradiction|specialize (A L)]; lra.
Qed.
Lemma below_0 v : v <> 0 -> ~ v > 0 -> v < 0.
Proof. intros N P. destruct (Rtotal_order v 0) as [L|[L|L]]; [exact L|contradiction|exact (False_ind _ (P L))]. Qed.
(* What is compared with a number, by how far it is beyond it. *)
Lemma positive_difference x y : x > y <-> x - y > 0.
Proof. lra. Qed.
Lemma nonnegative_difference x y : x >= y <-> x - y >= 0.
Proof. lra. Qed.
Lemma zero_difference x y : x = y <-> x - y = 0.
Proof. lra. Qed.
Lemma nonzero_difference x y : x <> y <-> x - y <> 0.
Proof. pose proof (zero_difference x y). tauto. Qed.
Lemma nonpositive_difference x y : x <= y <-> x - y <= 0.
Proof. lra. Qed.
Lemma negative_difference x y : x < y <-> x - y < 0.
Proof. lra. Qed.
Lemma least_integer z : (0 <= z)%Z -> 0 <= IZR z.
Proof. exact (IZR_le 0 z). Qed.

(* The sign of what has one square root of an integer, by squares. *)
Lemma positive_root a b k : (0 < k)%Z -> (IZR a * sqrt (IZR k) + IZR b > 0 <->
  (0 < a /\ b * b < a * a * k \/ 0 < b /\ a * a * k < b * b \/ 0 < a /\ 0 < b)%Z).
Proof.
  intros K. apply IZR_lt in K. pose proof (sqrt_lt_R0 _ K) as R. pose proof (sqrt_sqrt (IZR k) ltac:(lra)) as S.
  remember (sqrt (IZR k)) as r eqn:r_is. clear r_is. pose proof (mult_IZR b b) as B.
  assert (A : IZR (a * a * k) = (IZR a * r) * (IZR a * r)) by (rewrite !mult_IZR, <- S; ring).
  assert (above : (0 < a)%Z -> 0 < IZR a * r) by (intros H; apply IZR_lt in H; apply Rmult_lt_0_compat; assumption).
  assert (below : (a <= 0)%Z -> IZR a * r <= 0) by (intros H; apply IZR_le in H; nra).
  remember (IZR a * r) as x eqn:x_is. clear x_is. split.
  - intros H. destruct (Z.lt_ge_cases 0 a) as [P|P].
    + destruct (Z.lt_ge_cases 0 b) as [Q|Q]; [auto|]. left. split; [exact P|]. apply IZR_le in Q.
      apply lt_IZR. rewrite A, B. specialize (above P). nra.
    + right. left. specialize (below P). split; apply lt_IZR; [lra|]. rewrite A, B. nra.
  - intros [[P H]|[[P H]|[P Q]]]; [| |specialize (above P); apply IZR_lt in Q; lra].
    + specialize (above P). apply IZR_lt in H. rewrite A, B in H. nra.
    + apply IZR_lt in P, H. rewrite A, B in H. nra.
Qed.
Lemma zero_root a b k : (0 < k)%Z -> (IZR a * sqrt (IZR k) + IZR b = 0 <-> (a * a * k = b * b /\ a * b <= 0)%Z).
Proof.
  intros K. apply IZR_lt in K. pose proof (sqrt_lt_R0 _ K) as R. pose proof (sqrt_sqrt (IZR k) ltac:(lra)) as S.
  remember (sqrt (IZR k)) as r eqn:r_is. clear r_is. pose proof (Rle_0_sqr (IZR a)) as A. unfold Rsqr in A. split.
  - intros H. assert (E : IZR b = - (IZR a * r)) by lra.
    split; [apply eq_IZR|apply le_IZR]; rewrite !mult_IZR, E; [rewrite <- S; ring|nra].
  - intros [E H]. apply (f_equal IZR) in E. apply IZR_le in H. rewrite !mult_IZR in *. rewrite <- S in E.
    assert (P : (IZR a * r + IZR b) * (IZR a * r - IZR b) = 0) by lra.
    apply Rmult_integral in P. destruct P as [P|P]; [exact P|].
    assert (Q : IZR b = IZR a * r) by lra. rewrite Q in *.
    assert (Z : IZR a * IZR a * r <= 0) by lra. assert (N : IZR a * IZR a <= 0) by nra.
    assert (IZR a = 0) as -> by nra. ring.
Qed.
Lemma nonzero_root a b k : (0 < k)%Z ->
  (IZR a * sqrt (IZR k) + IZR b <> 0 <-> ~ (a * a * k = b * b /\ a * b <= 0)%Z).
Proof. intros K. pose proof (zero_root a b k K). tauto. Qed.

(* Powers of e, and of what is more than 1. *)
Lemma exp_above_1 c : 0 < c -> 1 < exp c.
Proof. intros H. rewrite <- exp_0. apply exp_increasing, H. Qed.
Lemma exp_at_least_1 c : 0 <= c -> 1 <= exp c.
Proof. intros [H|<-]; [left; apply exp_above_1, H|right; symmetry; apply exp_0]. Qed.
Lemma exp_above b c : 0 < b -> ln b < c -> b < exp c.
Proof. intros B H. rewrite <- (exp_ln b B). apply exp_increasing, H. Qed.
Lemma exp_at_least b c : 0 < b -> ln b <= c -> b <= exp c.
Proof. intros B [H| <-]; [left; apply exp_above; assumption|right; symmetry; apply exp_ln, B]. Qed.
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

(* Roots and logarithms of numbers, between the bounds of Bounds.v. *)
Lemma integer_within z : Bounds.within (Bounds.rational_bounds (inject_Z z)) (IZR z).
Proof. rewrite <- Sums.Q2R_integer. apply Bounds.rational_within. Qed.
Ltac within_bounds := lazymatch goal with
  | |- Bounds.within _ (sqrt _) => apply Bounds.root_within; within_bounds
  | |- Bounds.within _ (ln _) => eapply Bounds.log_within; cycle 1; [within_bounds|];
      lazymatch goal with |- ?computed = _ => let b := eval vm_compute in computed in exact (eq_refl b <: computed = b) end
  | |- Bounds.within _ (IZR ?p / IZR (Zpos ?q)) => exact (Bounds.rational_within (p # q))
  | |- Bounds.within _ (IZR ?z) => exact (integer_within z) end.
Ltac number_bounds x B :=
  eassert (B : Bounds.within _ x) by within_bounds;
  lazymatch type of B with Bounds.within ?b _ =>
    let low := eval vm_compute in (Bounds.low b) in let high := eval vm_compute in (Bounds.high b) in
    let unit := eval vm_compute in Bounds.unit in
    assert (IZR low <= x * IZR unit <= IZR high) by exact (B <: IZR low <= x * IZR unit <= IZR high) end; clear B.
(* What is between them, times an integer, by the sign of that. *)
Lemma times_at_least_0 low y high e : low <= y <= high -> (0 <= e)%Z -> low * IZR e <= y * IZR e <= high * IZR e.
Proof. intros [L H] E. apply IZR_le in E. split; apply Rmult_le_compat_r; assumption. Qed.
Lemma times_below_0 low y high e : low <= y <= high -> (e < 0)%Z -> high * IZR e <= y * IZR e <= low * IZR e.
Proof. intros [L H] E. apply IZR_lt in E. nra. Qed.
Ltac times_number x e := match goal with B : _ <= x * _ <= _ |- _ =>
  let E := fresh "E" in let T := fresh "T" in destruct (Z_lt_le_dec e 0) as [E|E];
  [pose proof (times_below_0 _ _ _ _ B E) as T|pose proof (times_at_least_0 _ _ _ _ B E) as T];
  rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR in T end.
