(* Signs of sums: from their form, and from bounds. *)
Require Import Reals ZArith QArith Qpower Qreals List Bool Lra Lia.
From Weightproof Require Import Sums.
Import ListNotations.
Open Scope R_scope.

(* What is seen to be positive: all of its coefficients are, and all of its factors. *)
Definition positive_atom (a : atom) : bool :=
  match a with Root _ => true | Log p => (1 <? p)%positive | Log_surd _ _ _ => false end.
Definition positive_polynomial (p : polynomial) : bool :=
  negb (is_nil p) && forallb (fun '(x, m) => (0 <? Qnum x)%Z && forallb positive_atom m) p.
Definition is_positive (s : combination) : bool := negb (is_nil s) && forallb (fun '(c, _) => positive_polynomial c) s.
Lemma positive_atom_value a : positive_atom a = true -> 0 < atom_value a.
Proof.
  destruct a as [p|p|]; cbn; [| |discriminate].
  - intros _. apply sqrt_lt_R0, IZR_lt. lia.
  - intros H. apply Pos.ltb_lt in H. rewrite <- ln_1. apply ln_increasing; [lra|]. apply IZR_lt. lia.
Qed.
Lemma positive_monomial_value m : forallb positive_atom m = true -> 0 < monomial_value m.
Proof.
  induction m as [|a m IH]; cbn [forallb monomial_value]; [lra|]. intros H. apply andb_prop in H.
  apply Rmult_lt_0_compat; [now apply positive_atom_value|now apply IH].
Qed.
Lemma positive_polynomial_value p : positive_polynomial p = true -> 0 < polynomial_value p.
Proof.
  unfold positive_polynomial. intros H. apply andb_prop in H. destruct H as [N H].
  enough (p = [] \/ 0 < polynomial_value p) as [->|E] by easy. clear N.
  induction p as [|[x m] p IH]; [now left|]. cbn [forallb polynomial_value] in *. right.
  apply andb_prop in H. destruct H as [H K]. apply andb_prop in H. destruct H as [H L].
  pose proof (Rmult_lt_0_compat _ _ (positive_Q x (proj1 (Z.ltb_lt _ _) H)) (positive_monomial_value m L)).
  destruct (IH K) as [->|]; [cbn [polynomial_value]|]; lra.
Qed.
Lemma positive_value s : is_positive s = true -> 0 < sum_value s.
Proof.
  unfold is_positive. intros H. apply andb_prop in H. destruct H as [N H].
  enough (s = [] \/ 0 < sum_value s) as [->|E] by easy. clear N.
  induction s as [|[c e] s IH]; [now left|]. cbn [forallb sum_value] in *. right.
  apply andb_prop in H. destruct H as [H K].
  pose proof (Rmult_lt_0_compat _ _ (positive_polynomial_value c H) (exp_pos (polynomial_value e))).
  destruct (IH K) as [->|]; [cbn [sum_value]|]; lra.
Qed.

(* Bounds, in multiples of 1 / unit. *)
Definition bits : Z := 96.
Definition unit : Z := 2 ^ bits.
Definition halvings : Z := 40.
Lemma unit_positive : 0 < IZR unit.
Proof. apply IZR_lt. reflexivity. Qed.
Lemma positive_IZR p : 0 < IZR (Zpos p).
Proof. apply IZR_lt. lia. Qed.
Record interval := { low : Z; high : Z }.
Definition within (b : interval) (r : R) : Prop := IZR (low b) <= r * IZR unit <= IZR (high b).
Lemma div_below x y : (0 < y)%Z -> IZR (x / y) <= IZR x / IZR y.
Proof.
  intros Y. apply IZR_lt in Y as P. apply (Rmult_le_reg_r (IZR y)); [assumption|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r, <- mult_IZR by lra. apply IZR_le. rewrite Z.mul_comm. apply Z.mul_div_le. lia.
Qed.
Lemma div_above x y : (0 < y)%Z -> IZR x / IZR y <= IZR (x / y + 1).
Proof.
  intros Y. apply IZR_lt in Y as P. apply (Rmult_le_reg_r (IZR y)); [assumption|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r, <- mult_IZR by lra. apply IZR_le. pose proof (Z.mul_succ_div_gt x y Y). lia.
Qed.
(* A product, in these multiples. *)
Definition shifted (x : Z) : Z := Z.shiftr x bits.
Lemma shifted_value x : IZR (shifted x) <= IZR x / IZR unit <= IZR (shifted x + 1).
Proof.
  unfold shifted. rewrite Z.shiftr_div_pow2 by discriminate. split; [apply div_below|apply div_above]; reflexivity.
Qed.
Definition rational_bounds (x : Q) : interval :=
  let below := (Qnum x * unit / Zpos (Qden x))%Z in {| low := below; high := (below + 1)%Z |}.
Lemma rational_within x : within (rational_bounds x) (Q2R x).
Proof.
  unfold within, rational_bounds. cbv zeta. cbn [low high].
  replace (Q2R x * IZR unit) with (IZR (Qnum x * unit) / IZR (Zpos (Qden x))) by (rewrite mult_IZR; unfold Q2R, Rdiv;
      ring).
  split; [apply div_below|apply div_above]; reflexivity.
Qed.
Definition plus_bounds (b c : interval) : interval := {| low := low b + low c; high := high b + high c |}%Z.
Lemma plus_within b c r s : within b r -> within c s -> within (plus_bounds b c) (r + s).
Proof. unfold within, plus_bounds. cbn [low high]. rewrite !plus_IZR. lra. Qed.
Definition greatest_bounds (b c : interval) : interval :=
  {| low := Z.max (low b) (low c); high := Z.max (high b) (high c) |}.
Lemma greatest_within b c r s : within b r -> within c s -> within (greatest_bounds b c) (Rmax r s).
Proof.
  unfold within, greatest_bounds. cbn [low high]. intros B C. pose proof unit_positive as U.
  assert (M : Rmax r s * IZR unit = Rmax (r * IZR unit) (s * IZR unit)).
  { rewrite Rmult_comm, <- RmaxRmult by lra. f_equal; ring. }
  rewrite M. unfold Rmax. split.
  - apply Z.max_case; destruct (Rle_dec _ _); lra.
  - destruct (Rle_dec _ _); [apply (Rle_trans _ (IZR (high c)))|apply (Rle_trans _ (IZR (high b)))]; try lra;
      apply IZR_le; lia.
Qed.
Definition times_bounds (b c : interval) : interval :=
  let w := (low b * low c)%Z in let x := (low b * high c)%Z in let y := (high b * low c)%Z in let z := (high b * high
      c)%Z in
  {| low := shifted (Z.min (Z.min w x) (Z.min y z)); high := shifted (Z.max (Z.max w x) (Z.max y z)) + 1 |}%Z.
Lemma between (a b x s : R) : a <= x <= b -> (a * s <= x * s <= b * s) \/ (b * s <= x * s <= a * s).
Proof. intros H. destruct (Rle_dec 0 s); [left|right]; split; nra. Qed.
Lemma times_within b c r s : within b r -> within c s -> within (times_bounds b c) (r * s).
Proof.
  unfold within, times_bounds. cbv zeta. cbn [low high]. intros B C. pose proof unit_positive as U.
  set (w := (low b * low c)%Z). set (x := (low b * high c)%Z). set (y := (high b * low c)%Z). set (z := (high b * high
      c)%Z).
  set (m := Z.min _ _). set (M := Z.max _ _).
  assert (N : (m <= w /\ m <= x /\ m <= y /\ m <= z /\ w <= M /\ x <= M /\ y <= M /\ z <= M)%Z) by lia.
  destruct N as (N1 & N2 & N3 & N4 & N5 & N6 & N7 & N8).
  apply IZR_le in N1, N2, N3, N4, N5, N6, N7, N8. unfold w, x, y, z in *. rewrite !mult_IZR in *.
  set (p := r * IZR unit) in *. set (q := s * IZR unit) in *.
  replace (r * s * IZR unit) with (p * q / IZR unit) by (unfold p, q; field; lra).
  assert (P : IZR m <= p * q <= IZR M).
  { pose proof (between _ _ p q B). pose proof (between _ _ q (IZR (low b)) C). pose proof (between _ _ q (IZR (high
      b)) C).
    rewrite !(Rmult_comm (IZR (low c))), !(Rmult_comm (IZR (high c))), !(Rmult_comm q) in *. lra. }
  pose proof (shifted_value m) as S. pose proof (shifted_value M) as T. pose proof (Rinv_0_lt_compat _ U) as I.
  unfold Rdiv in *. split; [apply (Rle_trans _ (IZR m * / IZR unit))|apply (Rle_trans _ (IZR M * / IZR unit))]; try lra;
    apply Rmult_le_compat_r; lra.
Qed.

(* Roots. *)
Lemma sqrt_below x : (0 <= x)%Z -> IZR (Z.sqrt x) <= sqrt (IZR x) <= IZR (Z.sqrt x + 1).
Proof.
  intros H. pose proof (Z.sqrt_spec x H) as [S T]. pose proof (Z.sqrt_nonneg x) as N. set (s := Z.sqrt x) in *.
  assert (T' : (x <= (s + 1) * (s + 1))%Z) by lia. apply IZR_le in S, T', N. rewrite mult_IZR in S, T'. split.
  - rewrite <- (sqrt_square (IZR s)) by assumption. now apply sqrt_le_1_alt.
  - rewrite <- (sqrt_square (IZR (s + 1))) by (rewrite plus_IZR; lra). now apply sqrt_le_1_alt.
Qed.
(* Of bounds of r those of its root. *)
Definition root_bounds (b : interval) : interval :=
  {| low := Z.sqrt (Z.max 0 (low b) * unit); high := Z.sqrt (Z.max 0 (high b) * unit) + 1 |}%Z.
Lemma root_within b r : within b r -> within (root_bounds b) (sqrt r).
Proof.
  unfold within, root_bounds. cbn [low high]. intros [L H]. pose proof unit_positive as U.
  destruct (Rlt_le_dec r 0) as [N|R].
  { rewrite sqrt_neg_0, Rmult_0_l by lra. assert (B : IZR (low b) < 0) by nra. apply lt_IZR in B.
    replace (Z.max 0 (low b)) with 0%Z by lia. split; [cbn; lra|]. apply IZR_le.
    pose proof (Z.sqrt_nonneg (Z.max 0 (high b) * unit)). lia. }
  replace (sqrt r * IZR unit) with (sqrt (r * IZR unit * IZR unit)).
  2:{ rewrite Rmult_assoc, sqrt_mult, sqrt_square; [reflexivity|lra|assumption|]. left. now apply Rmult_lt_0_compat. }
  assert (P : 0 <= r * IZR unit) by (apply Rmult_le_pos; lra).
  assert (L' : IZR (Z.max 0 (low b)) <= r * IZR unit) by (apply Z.max_case; assumption).
  assert (H' : r * IZR unit <= IZR (Z.max 0 (high b))) by (apply (Rle_trans _ (IZR (high b))); [assumption|apply
      IZR_le; lia]).
  split; [apply (Rle_trans _ (sqrt (IZR (Z.max 0 (low b) * unit))))|apply (Rle_trans _ (sqrt (IZR (Z.max 0 (high b) *
      unit))))];
    try (apply sqrt_le_1_alt; rewrite mult_IZR; apply Rmult_le_compat_r; lra);
    apply sqrt_below; apply Z.mul_nonneg_nonneg; easy || lia.
Qed.

(* Exponentials: 1 + t <= exp t, and the square of exp t is exp (2 t). *)
Fixpoint squared (times : nat) (x : Z) : Z := match times with O => x | S times => squared times (shifted (x * x)) end.
Definition exp_below (x : Z) : Z :=
  let y := (unit + Z.shiftr x halvings)%Z in if (0 <=? y)%Z then squared (Z.to_nat halvings) y else 0%Z.
Lemma squared_value times : forall x r, (0 <= x)%Z -> IZR x <= exp r * IZR unit ->
  (0 <= squared times x)%Z /\ IZR (squared times x) <= exp (r * 2 ^ times) * IZR unit.
Proof.
  induction times as [|times IH]; cbn [squared pow]; intros x r N H; [now rewrite Rmult_1_r|].
  replace (r * (2 * 2 ^ times)) with ((r + r) * 2 ^ times) by ring. apply IH.
  - unfold shifted. apply Z.shiftr_nonneg. nia.
  - rewrite exp_plus. destruct (shifted_value (x * x)) as [S _]. rewrite mult_IZR in S. apply IZR_le in N.
    pose proof unit_positive as U. pose proof (exp_pos r) as E. apply (Rle_trans _ _ _ S). unfold Rdiv.
    apply (Rmult_le_reg_r (IZR unit)); [assumption|]. rewrite (Rmult_assoc (_ * _) (/ _)), Rinv_l, Rmult_1_r by lra.
    replace (exp r * exp r * IZR unit * IZR unit) with ((exp r * IZR unit) * (exp r * IZR unit)) by ring.
    apply Rmult_le_compat; lra.
Qed.
Lemma two_to_halvings : 2 ^ Z.to_nat halvings = IZR (2 ^ halvings).
Proof. rewrite pow_IZR. reflexivity. Qed.
Lemma exp_below_value x r : IZR x <= r * IZR unit -> (0 <= exp_below x)%Z /\ IZR (exp_below x) <= exp r * IZR unit.
Proof.
  intros H. pose proof unit_positive as U. unfold exp_below. cbv zeta.
  destruct (Z.leb_spec 0 (unit + Z.shiftr x halvings)) as [L|L].
  - assert (T : 0 < IZR (2 ^ halvings)) by (apply IZR_lt; reflexivity).
    replace r with (r / IZR (2 ^ halvings) * 2 ^ Z.to_nat halvings) by (rewrite two_to_halvings; field; lra).
    apply squared_value; [assumption|]. rewrite plus_IZR, Z.shiftr_div_pow2 by discriminate.
    pose proof (div_below x (2 ^ halvings) eq_refl) as D. pose proof (exp_ineq1_le (r / IZR (2 ^ halvings))) as E.
    apply (Rle_trans _ ((1 + r / IZR (2 ^ halvings)) * IZR unit)); [|apply Rmult_le_compat_r; lra].
    apply (Rmult_le_compat_r (/ IZR (2 ^ halvings))) in H; [|left; now apply Rinv_0_lt_compat]. unfold Rdiv in *. lra.
  - split; [easy|]. pose proof (exp_pos r). apply Rmult_le_pos; lra.
Qed.
Definition exp_bounds (b : interval) : option interval :=
  let inverse := exp_below (- high b) in
  if (inverse <=? 0)%Z then None else Some {| low := exp_below (low b); high := unit * unit / inverse + 1 |}%Z.
Lemma exp_within b c r : exp_bounds b = Some c -> within b r -> within c (exp r).
Proof.
  unfold exp_bounds, within. cbv zeta. pose proof unit_positive as U. intros H [L G].
  assert (E : IZR (- high b) <= - r * IZR unit) by (rewrite opp_IZR; lra). apply exp_below_value in E. destruct E as [_
      E].
  destruct (Z.leb_spec (exp_below (- high b)) 0) as [|P]; [discriminate|]. apply some_equal in H. subst c. cbn [low
      high].
  split; [now apply exp_below_value|]. apply IZR_lt in P as P'. rewrite exp_Ropp in E. pose proof (exp_pos r) as X.
  apply (Rle_trans _ (IZR (unit * unit) / IZR (exp_below (- high b)))); [|now apply div_above]. rewrite mult_IZR.
  apply (Rmult_le_reg_r (IZR (exp_below (- high b)))); [assumption|]. unfold Rdiv at 1. rewrite (Rmult_assoc _ (/ _)),
      Rinv_l by lra.
  rewrite Rmult_1_r. apply (Rmult_le_compat_l (exp r * IZR unit)) in E; [|apply Rmult_le_pos; lra].
  replace (exp r * IZR unit * (/ exp r * IZR unit)) with (IZR unit * IZR unit) in E by (field; lra). exact E.
Qed.

(* Logarithms: 1 - 1/r <= ln r <= r - 1, at roots of roots. *)
Fixpoint rooted (times : nat) (b : interval) : interval :=
  match times with O => b | S times => rooted times (root_bounds b) end.
Definition log_bounds (b : interval) : option interval :=
  if (low b <=? 0)%Z then None
  else
    let c := rooted (Z.to_nat halvings) b in
    if (low c <=? 0)%Z then None
    else Some {| low := 2 ^ halvings * (unit - (unit * unit / low c + 1)); high := 2 ^ halvings * (high c - unit) |}%Z.
Lemma ln_le_minus_1 r : 0 < r -> ln r <= r - 1.
Proof.
  intros H. rewrite <- (ln_exp (r - 1)). destruct (exp_ineq1_le (r - 1)) as [E|E].
  - left. apply ln_increasing; lra.
  - right. f_equal. lra.
Qed.
Lemma rooted_value times : forall b r, 0 < r -> within b r ->
  exists s, within (rooted times b) s /\ 0 < s /\ ln r = 2 ^ times * ln s.
Proof.
  induction times as [|times IH]; cbn [rooted pow]; intros b r P H; [exists r; repeat split; lra || apply H|].
  destruct (IH (root_bounds b) (sqrt r)) as (s & W & S & E).
  - now apply sqrt_lt_R0.
  - now apply root_within.
  - exists s. repeat split; try assumption; try apply W. rewrite Rmult_assoc, <- E.
    rewrite <- (sqrt_sqrt r) at 1 by lra. rewrite ln_mult by (now apply sqrt_lt_R0). ring.
Qed.
Lemma within_positive b r : (0 < low b)%Z -> within b r -> 0 < r.
Proof.
  intros P [L _]. apply IZR_lt in P. pose proof unit_positive as U. apply (Rmult_lt_reg_r (IZR unit)); lra.
Qed.
Lemma log_within b d r : log_bounds b = Some d -> within b r -> within d (ln r).
Proof.
  unfold log_bounds. cbv zeta. destruct (Z.leb_spec (low b) 0) as [|B]; [discriminate|]. intros D W.
  destruct (rooted_value (Z.to_nat halvings) b r (within_positive b r B W) W) as (s & [L H] & S & E).
  revert D.
  generalize dependent (rooted (Z.to_nat halvings) b). intros c L H. pose proof unit_positive as U.
  destruct (Z.leb_spec (low c) 0) as [|C]; [discriminate|]. intros D. apply some_equal in D. subst d.
  unfold within. cbn [low high]. rewrite !mult_IZR, !minus_IZR, E, two_to_halvings, !Rmult_assoc.
  assert (T : 0 < IZR (2 ^ halvings)) by (apply IZR_lt; reflexivity).
  pose proof (ln_le_minus_1 s S) as A. pose proof (ln_le_minus_1 (/ s) (Rinv_0_lt_compat s S)) as D.
  rewrite ln_Rinv in D by assumption. pose proof (div_above (unit * unit) (low c) C) as G. apply IZR_lt in C.
  rewrite mult_IZR in G.
  assert (I : / s * IZR unit <= IZR unit * IZR unit / IZR (low c)).
  { apply (Rmult_le_reg_r (IZR (low c))); [assumption|]. unfold Rdiv. rewrite (Rmult_assoc _ (/ IZR (low c))), Rinv_l
      by lra.
    rewrite Rmult_1_r. apply (Rmult_le_compat_l (/ s * IZR unit)) in L; [|apply Rmult_le_pos; [left; now apply
        Rinv_0_lt_compat|lra]].
    replace (/ s * IZR unit * (s * IZR unit)) with (IZR unit * IZR unit) in L by (field; lra). exact L. }
  apply (Rmult_le_compat_r (IZR unit)) in A; [|lra]. apply (Rmult_le_compat_r (IZR unit)) in D; [|lra].
  split; (apply Rmult_le_compat_l; [lra|]); lra.
Qed.

Definition atom_bounds (a : atom) : option interval :=
  let of_integer p := rational_bounds (inject_Z (Zpos p)) in
  match a with
  | Root p => Some (root_bounds (of_integer p))
  | Log p => log_bounds (of_integer p)
  | Log_surd x y p =>
      log_bounds (plus_bounds (rational_bounds x) (times_bounds (rational_bounds y) (root_bounds (of_integer p))))
  end.
Definition with_bounds (f : interval -> interval -> interval) (b c : option interval) : option interval :=
  match b, c with Some b, Some c => Some (f b c) | _, _ => None end.
Fixpoint monomial_bounds (m : monomial) : option interval :=
  match m with [] => Some (rational_bounds 1) | a :: rest => with_bounds times_bounds (atom_bounds a) (monomial_bounds
      rest) end.
Fixpoint polynomial_bounds (p : polynomial) : option interval :=
  match p with
  | [] => Some (rational_bounds 0)
  | (x, m) :: rest =>
      with_bounds plus_bounds (with_bounds times_bounds (Some (rational_bounds x)) (monomial_bounds m))
          (polynomial_bounds rest)
  end.
Fixpoint sum_bounds (s : combination) : option interval :=
  match s with
  | [] => Some (rational_bounds 0)
  | (c, e) :: rest =>
      let power := match e with [] => Some (rational_bounds 1) | _ => then_ (polynomial_bounds e) exp_bounds end in
      with_bounds plus_bounds (with_bounds times_bounds (polynomial_bounds c) power) (sum_bounds rest)
  end.
Definition bounded (b : option interval) (r : R) : Prop := forall c, b = Some c -> within c r.
Lemma bounded_plus b c r s : bounded b r -> bounded c s -> bounded (with_bounds plus_bounds b c) (r + s).
Proof.
  intros B C d. destruct b as [b|], c as [c|]; try discriminate. intros D. apply some_equal in D. subst d.
  apply plus_within; [now apply B|now apply C].
Qed.
Lemma bounded_times b c r s : bounded b r -> bounded c s -> bounded (with_bounds times_bounds b c) (r * s).
Proof.
  intros B C d. destruct b as [b|], c as [c|]; try discriminate. intros D. apply some_equal in D. subst d.
  apply times_within; [now apply B|now apply C].
Qed.
Lemma bounded_rational x : bounded (Some (rational_bounds x)) (Q2R x).
Proof. intros c C. apply some_equal in C. subst c. apply rational_within. Qed.
Lemma bounded_monomial m : bounded (monomial_bounds m) (monomial_value m).
Proof.
  induction m as [|a m IH]; cbn [monomial_bounds monomial_value].
  - rewrite <- Q2R_1. apply bounded_rational.
  - apply bounded_times; [|assumption]. intros c. destruct a as [p|p|x y p]; cbn [atom_bounds atom_value].
    + intros C. apply some_equal in C. subst c. rewrite <- Q2R_integer. apply root_within, rational_within.
    + intros C. apply (log_within _ _ _ C). rewrite <- Q2R_integer. apply rational_within.
    + intros C. apply (log_within _ _ _ C). apply plus_within, times_within; try apply rational_within.
      rewrite <- Q2R_integer. apply root_within, rational_within.
Qed.
Lemma bounded_polynomial p : bounded (polynomial_bounds p) (polynomial_value p).
Proof.
  induction p as [|[x m] p IH]; cbn [polynomial_bounds polynomial_value].
  - rewrite <- Q2R_0. apply bounded_rational.
  - apply bounded_plus; [|assumption]. apply bounded_times; [apply bounded_rational|apply bounded_monomial].
Qed.
Lemma bounded_sum s : bounded (sum_bounds s) (sum_value s).
Proof.
  induction s as [|[c e] s IH]; cbn [sum_bounds sum_value].
  - rewrite <- Q2R_0. apply bounded_rational.
  - apply bounded_plus; [|assumption]. apply bounded_times; [apply bounded_polynomial|].
    destruct e as [|t e]; [cbn [polynomial_value]; rewrite exp_0, <- Q2R_1; apply bounded_rational|]. intros b.
    pose proof (bounded_polynomial (t :: e)) as E. destruct (polynomial_bounds (t :: e)) as [d|]; [|discriminate].
    intros B. apply (exp_within _ _ _ B). now apply E.
Qed.

(* Of bounds of r those of -r, and of 1/r. *)
Definition negated_bounds (b : interval) : interval := {| low := - high b; high := - low b |}%Z.
Lemma negated_within b r : within b r -> within (negated_bounds b) (- r).
Proof. unfold within, negated_bounds. cbn [low high]. rewrite !opp_IZR. lra. Qed.
Definition positive_inverse (b : interval) : interval :=
  {| low := unit * unit / high b; high := unit * unit / low b + 1 |}%Z.
Lemma positive_inverse_within b r : (0 < low b)%Z -> within b r -> within (positive_inverse b) (/ r).
Proof.
  intros B W. pose proof (within_positive b r B W) as R. unfold within, positive_inverse in *. cbn [low high].
  pose proof unit_positive as U. destruct W as [L H]. apply IZR_lt in B as B'.
  assert (C : (0 < high b)%Z) by (apply lt_IZR; lra). apply IZR_lt in C as C'.
  pose proof (div_above (unit * unit) (low b) B) as A. pose proof (div_below (unit * unit) (high b) C) as D.
  rewrite mult_IZR in A, D. assert (P : 0 < r * IZR unit) by lra.
  replace (/ r * IZR unit) with (IZR unit * IZR unit * / (r * IZR unit)) by (field; lra).
  assert (S : 0 <= IZR unit * IZR unit) by nra. unfold Rdiv in A, D. split.
  - apply (Rle_trans _ _ _ D). apply Rmult_le_compat_l; [assumption|]. apply Rinv_le_contravar; assumption.
  - apply (Rle_trans _ (IZR unit * IZR unit * / IZR (low b))); [|exact A].
    apply Rmult_le_compat_l; [assumption|]. apply Rinv_le_contravar; assumption.
Qed.
Definition inverse_bounds (b : interval) : option interval :=
  if (0 <? low b)%Z then Some (positive_inverse b)
  else if (high b <? 0)%Z then Some (negated_bounds (positive_inverse (negated_bounds b)))
  else None.
Lemma inverse_within b d r : inverse_bounds b = Some d -> within b r -> within d (/ r).
Proof.
  unfold inverse_bounds. destruct (Z.ltb_spec 0 (low b)) as [P|_].
  - intros D. apply some_equal in D. subst d. now apply positive_inverse_within.
  - destruct (Z.ltb_spec (high b) 0) as [N|_]; [|discriminate]. intros D W. apply some_equal in D. subst d.
    replace (/ r) with (- / - r).
    + apply negated_within, positive_inverse_within; [cbn [negated_bounds low]; lia|now apply negated_within].
    + destruct W as [_ H]. apply IZR_lt in N. pose proof unit_positive as U. assert (r < 0) by nra. field. lra.
Qed.

(* Signs. *)
Definition has_sign (c : comparison) (r : R) : Prop := match c with Eq => r = 0 | Lt => r < 0 | Gt => 0 < r end.
Definition bounds_sign (b : interval) : option comparison :=
  if (0 <? low b)%Z then Some Gt else if (high b <? 0)%Z then Some Lt else None.
Lemma bounds_sign_value b c r : bounds_sign b = Some c -> within b r -> has_sign c r.
Proof.
  unfold bounds_sign. intros E [L H]. pose proof unit_positive as U.
  destruct (Z.ltb_spec 0 (low b)) as [G|_]; [|destruct (Z.ltb_spec (high b) 0) as [G|_]; [|discriminate]];
    apply some_equal in E; subst c; apply IZR_lt in G; cbn [has_sign]; apply (Rmult_lt_reg_r (IZR unit)); lra.
Qed.

(* The sign of a sum, where it is seen from its form or from bounds. *)
Definition sum_sign (s : combination) : option comparison :=
  match s with
  | [] => Some Eq
  | _ =>
      if is_positive s then Some Gt
      else if is_positive (negated_sum s) then Some Lt
      else match sum_bounds s with
        | Some b => bounds_sign b
        | None => None
        end
  end.
Lemma sum_sign_value s c : sum_sign s = Some c -> has_sign c (sum_value s).
Proof.
  unfold sum_sign. destruct s as [|t s]; [intros H; apply some_equal in H; now subst c|].
  destruct (is_positive (t :: s)) eqn:P; [intros H; apply some_equal in H; subst c; now apply positive_value|].
  destruct (is_positive (negated_sum (t :: s))) eqn:M.
  - intros H. apply some_equal in H. subst c. apply positive_value in M. rewrite negated_sum_value in M. cbn
      [has_sign]. lra.
  - pose proof (bounded_sum (t :: s)) as B. destruct (sum_bounds (t :: s)) as [b|]; [|discriminate].
    intros E. exact (bounds_sign_value _ _ _ E (B b eq_refl)).
Qed.
