(* Layer normalisation: a row less its mean is a positive factor times a row, and becomes that row times a scale, of which
   the square is known. *)
From Weightproof Require Import Tactics.
Open Scope string_scope.
Open Scope R_scope.

(* What a norm meets at a row: x, of which m is the mean and factor * y what is left of it; q is 1 over the square of the
   factor, and Q that of the scale. *)
Record normable (names : list string) (e : R) (x y : vector) (m factor q Q : R) : Prop := {
  mean_of_row : average names x = m;
  less_mean : forall c, In c names -> x c - m = factor * y c;
  factor_is_positive : 0 < factor;
  factor_squared : factor * factor * q = 1;
  mean_square : average names (fun c => square (y c)) + e * q = Q;
  square_is_positive : 0 < Q }.

Lemma total_ext names x y : (forall c, In c names -> x c = y c) -> total names x = total names y.
Proof.
  induction names as [|c names IH]; intros H; cbn [total]; [reflexivity|]. rewrite IH, (H c); cbn; auto.
  intros c' C. apply H. cbn. auto.
Qed.
Lemma average_ext names x y : (forall c, In c names -> x c = y c) -> average names x = average names y.
Proof. intros H. unfold average. rewrite (total_ext names x y H). reflexivity. Qed.
Lemma average_multiple names k x : average names (fun c => k * x c) = k * average names x.
Proof.
  assert (T : total names (fun c => k * x c) = k * total names x).
  { induction names as [|c names IH]; cbn [total]; [ring|]. rewrite IH. ring. }
  unfold average. rewrite T. unfold Rdiv. ring.
Qed.
Lemma deviation_ext names e x y : (forall c, In c names -> x c = y c) -> deviation names e x = deviation names e y.
Proof.
  intros H. unfold deviation. rewrite (average_ext names x y H). do 2 f_equal. apply average_ext.
  intros c C. rewrite (H c C). reflexivity.
Qed.
Lemma deviation_is names e x y m factor q Q : normable names e x y m factor q Q -> deviation names e x = factor * sqrt Q.
Proof.
  intros [M L F S A P]. unfold deviation. rewrite M.
  rewrite (average_ext names _ (fun c => factor * factor * square (y c))).
  - rewrite average_multiple. replace (factor * factor * _ + e) with (factor * factor * Q).
    + rewrite sqrt_mult by (try apply Rmult_le_pos; lra). rewrite sqrt_square by lra. reflexivity.
    + rewrite <- A, Rmult_plus_distr_l. f_equal. rewrite <- (Rmult_1_r e) at 2. rewrite <- S. ring.
  - intros c C. rewrite (L c C). unfold square. ring.
Qed.
Lemma normed_is names e x y m factor q Q R1 name : normable names e x y m factor q Q -> R1 = / sqrt Q -> In name names ->
  normed names (Some e) x name = R1 * y name.
Proof.
  intros H -> N. cbn [normed]. rewrite (deviation_is _ _ _ _ _ _ _ _ H). destruct H as [M L F S A P].
  rewrite M, (L name N). pose proof (sqrt_lt_R0 Q P). field. lra.
Qed.
Lemma has_deviation names e x y m factor q Q : normable names e x y m factor q Q -> deviation names e x <> 0.
Proof.
  intros H. rewrite (deviation_is _ _ _ _ _ _ _ _ H). destruct H as [M L F S A P]. pose proof (sqrt_lt_R0 Q P).
  apply Rgt_not_eq, Rmult_lt_0_compat; assumption.
Qed.

(* A scale is positive, and its square is known. *)
Lemma scale_is_positive R1 Q : R1 = / sqrt Q -> 0 < Q -> 0 < R1.
Proof. intros -> H. apply Rinv_0_lt_compat, sqrt_lt_R0, H. Qed.
Lemma scale_squared R1 Q : R1 = / sqrt Q -> 0 < Q -> R1 * R1 * Q = 1.
Proof.
  intros -> H. pose proof (sqrt_lt_R0 Q H). rewrite <- (sqrt_sqrt Q) at 3 by lra. field. lra.
Qed.
Lemma is_scale R1 Q : 0 < R1 -> R1 * R1 * Q = 1 -> R1 = / sqrt Q.
Proof.
  intros P E. assert (Q = / R1 * / R1) as ->. { apply (Rmult_eq_reg_l (R1 * R1)); [rewrite E; field; lra|nra]. }
  pose proof (Rinv_0_lt_compat R1 P). rewrite sqrt_square by lra. rewrite Rinv_inv. reflexivity.
Qed.

(* The mean square of a row that is multiples of one value. *)
Lemma square_there q x : 0 < q -> x <> 0 -> 0 < q * x ^ 2.
Proof. intros Q X. apply Rmult_lt_0_compat; [exact Q|]. rewrite <- Rsqr_pow2. apply Rsqr_pos_lt, X. Qed.

Lemma defined (f : Z -> R) : exists g : Z -> R, forall i, g i = f i.
Proof. exists f. reflexivity. Qed.
Lemma defined_number (x : R) : exists y, y = x.
Proof. exists x. reflexivity. Qed.

(* The epsilon of a sublayer that has a norm. *)
Definition epsilon_of (s : sublayer) : R := match norm s with Some e => e | None => 0 end.

(* Signs of squares. *)
Ltac above := first [solve [above_0] | match goal with
  | |- 0 < _ / _ => apply Rmult_lt_0_compat; [above|apply Rinv_0_lt_compat; above]
  | |- 0 < _ => first [lra | nra] end].
Ltac square_positive := positives; settle; places; by_cases; settle_in_case; known_totals; known_scales;
  exps_beside_1; set_apart; push; real_bounds; above.
Ltac squares_positive unfolded squares := let sum := eval cbv zeta in squares in
  match goal with |- 0 < ?Q => replace Q with sum by (unfolded (); decide_equation) end; square_positive.
(* A sublayer without a norm asks for nothing, and behind the last sublayer that has attention only what is read is asked
   for. *)
Ltac not_attending R := repeat first [apply Exists_nil in R; destruct R
  | apply Exists_cons in R; destruct R as [R|R]; [exact (False_ind _ R)|]].
