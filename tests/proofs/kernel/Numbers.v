(* Exact numbers to compute with: quotients of sums of c * exp(e), where c and e are sums of rational multiples of
   products of square roots and logarithms of positive integers. Each operation answers None where the result is no such
   number, or where the sign that it needs is not seen; whatever it answers is true: [is x r] says that x stands for the
   real number r. *)
Require Import Reals ZArith QArith Qpower Qreals List Bool Lra Lia.
From Weightproof Require Import Transformer.
Import ListNotations.
Open Scope R_scope.

Lemma some_equal {A} (a b : A) : Some a = Some b -> a = b.
Proof. congruence. Qed.
Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.

(* Products of roots and logarithms. *)
Inductive atom := Root (p : positive) | Log (p : positive).
Definition atom_value (a : atom) : R :=
  match a with Root p => sqrt (IZR (Zpos p)) | Log p => ln (IZR (Zpos p)) end.
Definition compare_atoms (a b : atom) : comparison :=
  match a, b with
  | Root p, Root q | Log p, Log q => Pos.compare p q
  | Root _, Log _ => Lt
  | Log _, Root _ => Gt
  end.
Lemma compare_atoms_equal a b : compare_atoms a b = Eq -> a = b.
Proof. destruct a, b; cbn; try discriminate; intros H; apply Pos.compare_eq in H; now subst. Qed.

Definition monomial := list atom. (* sorted *)
Fixpoint monomial_value (m : monomial) : R := match m with [] => 1 | a :: rest => atom_value a * monomial_value rest end.
Fixpoint same_monomial (m k : monomial) : bool :=
  match m, k with
  | [], [] => true
  | a :: m, b :: k => match compare_atoms a b with Eq => same_monomial m k | _ => false end
  | _, _ => false
  end.
Lemma same_monomial_value m : forall k, same_monomial m k = true -> monomial_value m = monomial_value k.
Proof.
  induction m as [|a m IH]; intros [|b k]; cbn; try discriminate; [reflexivity|].
  destruct (compare_atoms a b) eqn:E; try discriminate. intros H. apply compare_atoms_equal in E. subst.
  now rewrite (IH k H).
Qed.
(* The square of a root is what is under it. *)
Fixpoint insert (a : atom) (m : monomial) : Z * monomial :=
  match m with
  | [] => (1%Z, [a])
  | b :: rest =>
      match compare_atoms a b, a with
      | Eq, Root p => (Zpos p, rest)
      | Gt, _ => let (factor, m) := insert a rest in (factor, b :: m)
      | _, _ => (1%Z, a :: m)
      end
  end.
Lemma root_square p : sqrt (IZR (Zpos p)) * sqrt (IZR (Zpos p)) = IZR (Zpos p).
Proof. apply sqrt_sqrt. apply IZR_le. lia. Qed.
Lemma insert_value a m :
  let (factor, k) := insert a m in IZR factor * monomial_value k = atom_value a * monomial_value m.
Proof.
  induction m as [|b m IH]; cbn [insert monomial_value]; [ring|].
  destruct (compare_atoms a b) eqn:E.
  - apply compare_atoms_equal in E. subst. destruct b as [p|p]; cbn [monomial_value atom_value]; [|ring].
    rewrite <- Rmult_assoc, root_square. reflexivity.
  - destruct a; cbn [monomial_value]; ring.
  - destruct a; destruct (insert _ m) as [factor k]; cbn [monomial_value];
      rewrite (Rmult_comm (atom_value b) (monomial_value k)), <- Rmult_assoc, IH; ring.
Qed.
Fixpoint times_monomial (m k : monomial) : Z * monomial :=
  match m with
  | [] => (1%Z, k)
  | a :: rest =>
      let (before, k) := times_monomial rest k in
      let (factor, k) := insert a k in ((before * factor)%Z, k)
  end.
Lemma times_monomial_value m k :
  let (factor, l) := times_monomial m k in IZR factor * monomial_value l = monomial_value m * monomial_value k.
Proof.
  induction m as [|a m IH]; cbn [times_monomial monomial_value]; [ring|].
  destruct (times_monomial m k) as [before l]. pose proof (insert_value a l) as H. destruct (insert a l) as [factor l'].
  rewrite mult_IZR, Rmult_assoc, H, Rmult_assoc, <- IH. ring.
Qed.

(* Sums of rational multiples of these. *)
Definition polynomial := list (Q * monomial).
Fixpoint polynomial_value (p : polynomial) : R :=
  match p with [] => 0 | (x, m) :: rest => Q2R x * monomial_value m + polynomial_value rest end.
Lemma Q2R_zero x : Qeq_bool x 0 = true -> Q2R x = 0.
Proof. intros H. apply Qeq_bool_iff, Qeq_eqR in H. rewrite H. unfold Q2R. cbn. lra. Qed.
Lemma Q2R_Qred x : Q2R (Qred x) = Q2R x.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma Q2R_integer z : Q2R (inject_Z z) = IZR z.
Proof. unfold Q2R. cbn. lra. Qed.
Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R. cbn. lra. Qed.
Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R. cbn. lra. Qed.
Fixpoint plus_term (x : Q) (m : monomial) (p : polynomial) : polynomial :=
  match p with
  | [] => if Qeq_bool x 0 then [] else [(x, m)]
  | (y, k) :: rest =>
      if same_monomial m k then
        let total := Qred (x + y) in if Qeq_bool total 0 then rest else (total, k) :: rest
      else (y, k) :: plus_term x m rest
  end.
Lemma plus_term_value x m p : polynomial_value (plus_term x m p) = Q2R x * monomial_value m + polynomial_value p.
Proof.
  induction p as [|[y k] p IH]; cbn [plus_term polynomial_value].
  - destruct (Qeq_bool x 0) eqn:E; cbn [polynomial_value]; [rewrite (Q2R_zero x E)|]; ring.
  - destruct (same_monomial m k) eqn:S.
    + rewrite (same_monomial_value _ _ S). cbv zeta.
      assert (T : Q2R (Qred (x + y)) = Q2R x + Q2R y) by (rewrite Q2R_Qred; apply Q2R_plus).
      destruct (Qeq_bool (Qred (x + y)) 0) eqn:E; cbn [polynomial_value].
      * apply Q2R_zero in E. rewrite T in E. replace (Q2R x) with (- Q2R y) by lra. ring.
      * rewrite T. ring.
    + cbn [polynomial_value]. rewrite IH. ring.
Qed.
Definition plus (p q : polynomial) : polynomial := fold_right (fun '(x, m) => plus_term x m) q p.
Lemma plus_value p q : polynomial_value (plus p q) = polynomial_value p + polynomial_value q.
Proof.
  induction p as [|[x m] p IH]; cbn [plus fold_right polynomial_value]; [ring|].
  rewrite plus_term_value. fold (plus p q). rewrite IH. ring.
Qed.
Definition scaled (x : Q) (m : monomial) (p : polynomial) : polynomial :=
  fold_right (fun '(y, k) => let (factor, l) := times_monomial m k in plus_term (Qred (x * y * inject_Z factor)) l) [] p.
Lemma scaled_value x m p : polynomial_value (scaled x m p) = Q2R x * monomial_value m * polynomial_value p.
Proof.
  induction p as [|[y k] p IH]; cbn [scaled fold_right polynomial_value]; [ring|].
  pose proof (times_monomial_value m k) as H. destruct (times_monomial m k) as [factor l].
  rewrite plus_term_value. fold (scaled x m p). rewrite IH, Q2R_Qred, !Q2R_mult, Q2R_integer.
  transitivity (Q2R x * Q2R y * (IZR factor * monomial_value l) + Q2R x * monomial_value m * polynomial_value p); [ring|].
  rewrite H. ring.
Qed.
Definition times (p q : polynomial) : polynomial := fold_right (fun '(x, m) => plus (scaled x m q)) [] p.
Lemma times_value p q : polynomial_value (times p q) = polynomial_value p * polynomial_value q.
Proof.
  induction p as [|[x m] p IH]; cbn [times fold_right polynomial_value]; [ring|].
  rewrite plus_value. fold (times p q). rewrite IH, scaled_value. ring.
Qed.
Definition constant (x : Q) : polynomial := plus_term x [] [].
Lemma constant_value x : polynomial_value (constant x) = Q2R x.
Proof. unfold constant. rewrite plus_term_value. cbn. ring. Qed.
Definition negated (p : polynomial) : polynomial := scaled (-1) [] p.
Lemma negated_value p : polynomial_value (negated p) = - polynomial_value p.
Proof. unfold negated. rewrite scaled_value. cbn [monomial_value]. unfold Q2R. cbn. lra. Qed.
Definition same (p q : polynomial) : bool := match plus p (negated q) with [] => true | _ => false end.
Lemma same_value p q : same p q = true -> polynomial_value p = polynomial_value q.
Proof.
  unfold same. pose proof (plus_value p (negated q)) as H. rewrite negated_value in H.
  destruct (plus p (negated q)); [|discriminate]. cbn in H. intros _. lra.
Qed.

(* Sums of these, each times the exponential of another one. *)
Definition combination := list (polynomial * polynomial).
Fixpoint sum_value (s : combination) : R :=
  match s with [] => 0 | (c, e) :: rest => polynomial_value c * exp (polynomial_value e) + sum_value rest end.
Fixpoint add_term (c e : polynomial) (s : combination) : combination :=
  match s with
  | [] => match c with [] => [] | _ => [(c, e)] end
  | (d, f) :: rest =>
      if same e f then match plus c d with [] => rest | total => (total, f) :: rest end
      else (d, f) :: add_term c e rest
  end.
Lemma add_term_value c e s :
  sum_value (add_term c e s) = polynomial_value c * exp (polynomial_value e) + sum_value s.
Proof.
  induction s as [|[d f] s IH]; cbn [add_term sum_value].
  - destruct c; cbn [sum_value polynomial_value]; ring.
  - destruct (same e f) eqn:E.
    + rewrite (same_value _ _ E). pose proof (plus_value c d) as H. destruct (plus c d) as [|t total];
        cbn [sum_value]; [cbn in H|rewrite H; ring].
      replace (polynomial_value c) with (- polynomial_value d) by lra. ring.
    + cbn [sum_value]. rewrite IH. ring.
Qed.
Definition add_sums (s t : combination) : combination := fold_right (fun '(c, e) => add_term c e) t s.
Lemma add_sums_value s t : sum_value (add_sums s t) = sum_value s + sum_value t.
Proof.
  induction s as [|[c e] s IH]; cbn [add_sums fold_right sum_value]; [ring|].
  rewrite add_term_value. fold (add_sums s t). rewrite IH. ring.
Qed.

(* The exponential of q ln(p) is a power of p for a whole q, and that times the root of p for a half more. *)
Definition settle_term (x : Q) (m : monomial) : polynomial * polynomial :=
  match m with
  | [Log p] =>
      let whole := (Qnum x / Zpos (Qden x))%Z in
      let rest := Qred (x - inject_Z whole) in
      let power := Qred (Qpower (inject_Z (Zpos p)) whole) in
      if Qeq_bool rest (1 # 2) then (plus_term power [Root p] [], []) else (constant power, plus_term rest m [])
  | _ => (constant 1, plus_term x m [])
  end.
Lemma exp_whole p z : Q2R (Qpower (inject_Z (Zpos p)) z) = exp (IZR z * ln (IZR (Zpos p))).
Proof.
  assert (P : 0 < IZR (Zpos p)) by (apply IZR_lt; lia).
  assert (N : ~ inject_Z (Zpos p) == 0) by (intros E; apply Qeq_eqR in E; rewrite Q2R_integer in E; unfold Q2R in E; cbn in E; lra).
  assert (H : forall k, Q2R (Qpower (inject_Z (Zpos p)) (Z.of_nat k)) = exp (IZR (Z.of_nat k) * ln (IZR (Zpos p)))).
  { induction k as [|k IH].
    - cbn. rewrite Rmult_0_l, exp_0. unfold Q2R. cbn. lra.
    - rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite plus_IZR, Rmult_plus_distr_r, exp_plus, <- IH, Rmult_1_l, exp_ln by assumption.
      rewrite <- Q2R_integer, <- Q2R_mult. apply Qeq_eqR. rewrite Qpower_plus by assumption. reflexivity. }
  destruct (Z.le_gt_cases 0 z) as [L|L].
  - rewrite <- (Z2Nat.id z) by assumption. apply H.
  - replace z with (- Z.of_nat (Z.to_nat (- z)))%Z by lia. rewrite Qpower_opp, Q2R_inv, H, opp_IZR.
    + now rewrite <- exp_Ropp, Ropp_mult_distr_l.
    + intros E. apply Qeq_eqR in E. rewrite H in E. pose proof (exp_pos (IZR (Z.of_nat (Z.to_nat (- z))) * ln (IZR (Zpos p)))).
      unfold Q2R in E. cbn in E. lra.
Qed.
Lemma settle_term_value x m :
  let (c, e) := settle_term x m in
  polynomial_value c * exp (polynomial_value e) = exp (Q2R x * monomial_value m).
Proof.
  assert (D : polynomial_value (constant 1) * exp (polynomial_value (plus_term x m [])) = exp (Q2R x * monomial_value m)).
  { rewrite constant_value, plus_term_value. cbn [polynomial_value]. rewrite Rplus_0_r. unfold Q2R at 1. cbn. lra. }
  destruct m as [|[p|p] [|b m]]; cbn [settle_term]; try exact D. clear D. cbv zeta.
  set (whole := (Qnum x / Zpos (Qden x))%Z).
  assert (P : 0 < IZR (Zpos p)) by (apply IZR_lt; lia).
  assert (X : Q2R x = IZR whole + Q2R (Qred (x - inject_Z whole))).
  { rewrite Q2R_Qred, Q2R_minus, Q2R_integer. ring. }
  destruct (Qeq_bool (Qred (x - inject_Z whole)) (1 # 2)) eqn:E.
  - apply Qeq_bool_iff, Qeq_eqR in E. rewrite E in X. rewrite plus_term_value. cbn [polynomial_value monomial_value atom_value].
    rewrite Q2R_Qred, exp_whole, exp_0, X, !Rmult_1_r, Rplus_0_r, Rmult_plus_distr_r, exp_plus. f_equal.
    rewrite <- (sqrt_square (exp _)) by (left; apply exp_pos). f_equal.
    rewrite <- exp_plus, <- Rmult_plus_distr_r. replace (Q2R (1 # 2) + Q2R (1 # 2)) with 1 by (unfold Q2R; cbn; lra).
    now rewrite Rmult_1_l, exp_ln.
  - rewrite constant_value, plus_term_value. cbn [polynomial_value monomial_value atom_value].
    rewrite Q2R_Qred, exp_whole, <- exp_plus, X. f_equal. ring.
Qed.
Fixpoint settle (e : polynomial) : polynomial * polynomial :=
  match e with
  | [] => (constant 1, [])
  | (x, m) :: rest =>
      let (c, e) := settle rest in let (d, f) := settle_term x m in (times d c, plus f e)
  end.
Lemma settle_value e : let (c, f) := settle e in polynomial_value c * exp (polynomial_value f) = exp (polynomial_value e).
Proof.
  induction e as [|[x m] e IH]; cbn [settle polynomial_value].
  - rewrite constant_value, exp_0. unfold Q2R. cbn. lra.
  - destruct (settle e) as [c f]. pose proof (settle_term_value x m) as H. destruct (settle_term x m) as [d g].
    rewrite times_value, plus_value, !exp_plus, <- IH, <- H. ring.
Qed.
Definition times_term (c e : polynomial) (s : combination) : combination :=
  fold_right (fun '(d, f) => let (factor, g) := settle (plus e f) in add_term (times factor (times c d)) g) [] s.
Lemma times_term_value c e s : sum_value (times_term c e s) = polynomial_value c * exp (polynomial_value e) * sum_value s.
Proof.
  induction s as [|[d f] s IH]; cbn [times_term fold_right sum_value]; [ring|].
  pose proof (settle_value (plus e f)) as H. destruct (settle (plus e f)) as [factor g].
  rewrite add_term_value. fold (times_term c e s). rewrite IH, !times_value.
  transitivity (polynomial_value c * polynomial_value d * (polynomial_value factor * exp (polynomial_value g))
    + polynomial_value c * exp (polynomial_value e) * sum_value s); [ring|].
  rewrite H, plus_value, exp_plus. ring.
Qed.
Definition times_sums (s t : combination) : combination := fold_right (fun '(c, e) => add_sums (times_term c e t)) [] s.
Lemma times_sums_value s t : sum_value (times_sums s t) = sum_value s * sum_value t.
Proof.
  induction s as [|[c e] s IH]; cbn [times_sums fold_right sum_value]; [ring|].
  rewrite add_sums_value. fold (times_sums s t). rewrite IH, times_term_value. ring.
Qed.
Definition of_polynomial (p : polynomial) : combination := add_term p [] [].
Lemma of_polynomial_value p : sum_value (of_polynomial p) = polynomial_value p.
Proof. unfold of_polynomial. rewrite add_term_value. cbn. rewrite exp_0. ring. Qed.
Definition negated_sum (s : combination) : combination := times_term (constant (-1)) [] s.
Lemma negated_sum_value s : sum_value (negated_sum s) = - sum_value s.
Proof.
  unfold negated_sum. rewrite times_term_value, constant_value. cbn [polynomial_value]. rewrite exp_0.
  unfold Q2R. cbn. lra.
Qed.
Definition same_sum (s t : combination) : bool := match add_sums s (negated_sum t) with [] => true | _ => false end.
Lemma same_sum_value s t : same_sum s t = true -> sum_value s = sum_value t.
Proof.
  unfold same_sum. pose proof (add_sums_value s (negated_sum t)) as H. rewrite negated_sum_value in H.
  destruct (add_sums s (negated_sum t)); [|discriminate]. cbn in H. intros _. lra.
Qed.

(* What is seen to be positive: all of its coefficients are, and all of its factors. *)
Definition positive_atom (a : atom) : bool := match a with Root _ => true | Log p => (1 <? p)%positive end.
Definition positive_polynomial (p : polynomial) : bool :=
  negb (is_nil p) && forallb (fun '(x, m) => (0 <? Qnum x)%Z && forallb positive_atom m) p.
Definition is_positive (s : combination) : bool := negb (is_nil s) && forallb (fun '(c, _) => positive_polynomial c) s.
Lemma positive_atom_value a : positive_atom a = true -> 0 < atom_value a.
Proof.
  destruct a as [p|p]; cbn.
  - intros _. apply sqrt_lt_R0, IZR_lt. lia.
  - intros H. apply Pos.ltb_lt in H. rewrite <- ln_1. apply ln_increasing; [lra|]. apply IZR_lt. lia.
Qed.
Lemma positive_monomial_value m : forallb positive_atom m = true -> 0 < monomial_value m.
Proof.
  induction m as [|a m IH]; cbn [forallb monomial_value]; [lra|]. intros H. apply andb_prop in H.
  apply Rmult_lt_0_compat; [now apply positive_atom_value|now apply IH].
Qed.
Lemma positive_rational x : (0 <? Qnum x)%Z = true -> 0 < Q2R x.
Proof.
  intros H. apply Z.ltb_lt in H. unfold Q2R. apply Rmult_lt_0_compat; [apply IZR_lt; assumption|].
  apply Rinv_0_lt_compat, IZR_lt. lia.
Qed.
Lemma positive_polynomial_value p : positive_polynomial p = true -> 0 < polynomial_value p.
Proof.
  unfold positive_polynomial. intros H. apply andb_prop in H. destruct H as [N H].
  enough (p = [] \/ 0 < polynomial_value p) as [->|E] by easy. clear N.
  induction p as [|[x m] p IH]; [now left|]. cbn [forallb polynomial_value] in *. right.
  apply andb_prop in H. destruct H as [H K]. apply andb_prop in H. destruct H as [H L].
  pose proof (Rmult_lt_0_compat _ _ (positive_rational x H) (positive_monomial_value m L)).
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

(* Rational bounds, rounded outwards to multiples of 1 / unit. *)
Definition unit : positive := (2 ^ 120)%positive.
Definition halvings : nat := 40.
Definition down (x : Q) : Q := (Qnum x * Zpos unit / Zpos (Qden x))%Z # unit.
Definition up (x : Q) : Q := (- down (- x))%Q.
Lemma Q2R_fraction z p : Q2R (z # p) = IZR z / IZR (Zpos p).
Proof. reflexivity. Qed.
Lemma positive_IZR p : 0 < IZR (Zpos p).
Proof. apply IZR_lt. lia. Qed.
Lemma down_value x : Q2R (down x) <= Q2R x.
Proof.
  unfold down. destruct x as [a d]. rewrite !Q2R_fraction. cbn [Qnum Qden].
  pose proof (positive_IZR d) as D. pose proof (positive_IZR unit) as U.
  apply (Rmult_le_reg_r (IZR (Zpos unit) * IZR (Zpos d))); [now apply Rmult_lt_0_compat|].
  replace (IZR (a * Zpos unit / Zpos d) / IZR (Zpos unit) * (IZR (Zpos unit) * IZR (Zpos d)))
    with (IZR (a * Zpos unit / Zpos d * Zpos d)) by (rewrite mult_IZR; field; lra).
  replace (IZR a / IZR (Zpos d) * (IZR (Zpos unit) * IZR (Zpos d))) with (IZR (a * Zpos unit)) by (rewrite mult_IZR; field; lra).
  apply IZR_le. rewrite Z.mul_comm. apply Z.mul_div_le. lia.
Qed.
Lemma up_value x : Q2R x <= Q2R (up x).
Proof. unfold up. rewrite Q2R_opp. pose proof (down_value (- x)) as D. rewrite Q2R_opp in D. lra. Qed.
Lemma down_nonnegative x : 0 <= Q2R x -> 0 <= Q2R (down x).
Proof.
  intros H. unfold down. rewrite Q2R_fraction. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, positive_IZR].
  apply IZR_le, Z.div_pos; [|lia]. apply Z.mul_nonneg_nonneg; [|lia]. apply le_IZR.
  unfold Q2R in H. pose proof (positive_IZR (Qden x)) as D. apply (Rmult_le_reg_r (/ IZR (QDen x))); [now apply Rinv_0_lt_compat|].
  now rewrite Rmult_0_l.
Qed.
Definition smaller (x y : Q) : Q := if Qle_bool x y then x else y.
Definition larger (x y : Q) : Q := if Qle_bool x y then y else x.
Lemma Qle_bool_value x y : if Qle_bool x y then Q2R x <= Q2R y else Q2R y < Q2R x.
Proof.
  destruct (Qle_bool x y) eqn:E; [now apply Qle_Rle, Qle_bool_iff|]. apply Qlt_Rlt, Qnot_le_lt.
  intros L. apply Qle_bool_iff in L. congruence.
Qed.
Lemma smaller_value x y : Q2R (smaller x y) <= Q2R x /\ Q2R (smaller x y) <= Q2R y.
Proof. unfold smaller. pose proof (Qle_bool_value x y). destruct (Qle_bool x y); lra. Qed.
Lemma larger_value x y : Q2R x <= Q2R (larger x y) /\ Q2R y <= Q2R (larger x y).
Proof. unfold larger. pose proof (Qle_bool_value x y). destruct (Qle_bool x y); lra. Qed.

Record interval := { low : Q; high : Q }.
Definition within (b : interval) (r : R) : Prop := Q2R (low b) <= r <= Q2R (high b).
Definition outwards (x y : Q) : interval := {| low := down x; high := up y |}.
Lemma outwards_within x y r : Q2R x <= r <= Q2R y -> within (outwards x y) r.
Proof. intros H. unfold within, outwards; cbn [low high]. pose proof (down_value x). pose proof (up_value y). lra. Qed.
Definition plus_bounds (b c : interval) : interval := outwards (low b + low c) (high b + high c).
Lemma plus_within b c r s : within b r -> within c s -> within (plus_bounds b c) (r + s).
Proof. intros B C. apply outwards_within. rewrite !Q2R_plus. unfold within in *. lra. Qed.
Definition times_bounds (b c : interval) : interval :=
  let w := (low b * low c)%Q in let x := (low b * high c)%Q in let y := (high b * low c)%Q in let z := (high b * high c)%Q in
  outwards (smaller (smaller w x) (smaller y z)) (larger (larger w x) (larger y z)).
Lemma between (a b x s : R) : a <= x <= b -> (a * s <= x * s <= b * s) \/ (b * s <= x * s <= a * s).
Proof. intros H. destruct (Rle_dec 0 s); [left|right]; split; nra. Qed.
Lemma times_within b c r s : within b r -> within c s -> within (times_bounds b c) (r * s).
Proof.
  intros B C. unfold times_bounds. cbv zeta. apply outwards_within.
  set (w := (low b * low c)%Q). set (x := (low b * high c)%Q). set (y := (high b * low c)%Q). set (z := (high b * high c)%Q).
  pose proof (smaller_value (smaller w x) (smaller y z)). pose proof (smaller_value w x). pose proof (smaller_value y z).
  pose proof (larger_value (larger w x) (larger y z)). pose proof (larger_value w x). pose proof (larger_value y z).
  assert (W : Q2R w = Q2R (low b) * Q2R (low c)) by apply Q2R_mult.
  assert (X : Q2R x = Q2R (low b) * Q2R (high c)) by apply Q2R_mult.
  assert (Y : Q2R y = Q2R (high b) * Q2R (low c)) by apply Q2R_mult.
  assert (Z : Q2R z = Q2R (high b) * Q2R (high c)) by apply Q2R_mult.
  pose proof (between _ _ r s B). pose proof (between _ _ s (Q2R (low b)) C). pose proof (between _ _ s (Q2R (high b)) C).
  rewrite !(Rmult_comm (Q2R (low c))), !(Rmult_comm (Q2R (high c))), !(Rmult_comm s) in *. lra.
Qed.

(* Roots: of x, with x unit^2 rounded down to an integer. *)
Definition root_below (x : Q) : Z := Z.sqrt (Qnum x * (Zpos unit * Zpos unit) / Zpos (Qden x)).
Definition root_bounds (x : Q) : interval := {| low := root_below x # unit; high := (root_below x + 1)%Z # unit |}.
Lemma root_within x : 0 <= Q2R x -> within (root_bounds x) (sqrt (Q2R x)).
Proof.
  intros H. unfold within, root_bounds, root_below. cbn [low high]. rewrite !Q2R_fraction. destruct x as [a d]. cbn [Qnum Qden].
  set (m := (a * (Zpos unit * Zpos unit) / Zpos d)%Z). pose proof (positive_IZR unit) as U. pose proof (positive_IZR d) as D.
  assert (A : (0 <= a)%Z).
  { apply le_IZR. rewrite Q2R_fraction in H. apply (Rmult_le_reg_r (/ IZR (Zpos d))); [now apply Rinv_0_lt_compat|].
    now rewrite Rmult_0_l. }
  assert (M : (0 <= m)%Z) by (apply Z.div_pos; lia).
  assert (E : Q2R (a # d) = IZR (a * (Zpos unit * Zpos unit)) / IZR (Zpos d) / (IZR (Zpos unit) * IZR (Zpos unit)))
    by (rewrite Q2R_fraction, !mult_IZR; field; lra).
  set (x := IZR (a * (Zpos unit * Zpos unit)) / IZR (Zpos d)) in *.
  assert (X : IZR m <= x < IZR (m + 1)).
  { unfold x. split.
    - apply (Rmult_le_reg_r (IZR (Zpos d))); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite <- mult_IZR. apply IZR_le. rewrite (Z.mul_comm m). apply Z.mul_div_le. lia.
    - apply (Rmult_lt_reg_r (IZR (Zpos d))); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite <- mult_IZR. apply IZR_lt. rewrite (Z.mul_comm (m + 1)). apply Z.mul_succ_div_gt. lia. }
  pose proof (Z.sqrt_spec m M) as [S T]. pose proof (Z.sqrt_nonneg m) as N. set (s := Z.sqrt m) in *.
  apply IZR_le in N. assert (X0 : 0 <= x) by (apply IZR_le in M; lra).
  rewrite E, sqrt_div_alt by (now apply Rmult_lt_0_compat). rewrite sqrt_square by lra.
  split; (apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]).
  - rewrite <- (sqrt_square (IZR s)) by assumption. apply sqrt_le_1_alt. rewrite <- mult_IZR.
    apply IZR_le in S. lra.
  - rewrite <- (sqrt_square (IZR (s + 1))) by (rewrite plus_IZR; lra). apply sqrt_le_1_alt. rewrite <- mult_IZR.
    unfold Z.succ in T. apply Z.lt_le_pred in T. assert (m + 1 <= (s + 1) * (s + 1))%Z as L by lia. apply IZR_le in L. lra.
Qed.

(* Exponentials: 1 + t <= exp t, and the square of exp t is exp (2 t). *)
Fixpoint squared (rounded : Q -> Q) (times : nat) (x : Q) : Q :=
  match times with O => x | S times => squared rounded times (rounded (x * x)%Q) end.
Definition small (x : Q) : Q := (x * (1 # 2 ^ Pos.of_nat halvings))%Q.
Definition exp_below (x : Q) : Q :=
  let y := (1 + small x)%Q in if Qle_bool 0 y then squared down halvings (down y) else 0%Q.
Lemma squared_down times : forall x r, 0 <= Q2R x <= exp r -> 0 <= Q2R (squared down times x) <= exp (r * 2 ^ times).
Proof.
  induction times as [|times IH]; cbn [squared pow]; intros x r H; [now rewrite Rmult_1_r|].
  replace (r * (2 * 2 ^ times)) with ((r + r) * 2 ^ times) by ring. apply IH. rewrite exp_plus.
  pose proof (down_value (x * x)) as D. assert (N : 0 <= Q2R (x * x)) by (rewrite Q2R_mult; nra).
  split; [now apply down_nonnegative|]. rewrite Q2R_mult in D. nra.
Qed.
Lemma small_value x : Q2R (small x) * 2 ^ halvings = Q2R x.
Proof.
  unfold small. rewrite Q2R_mult, Q2R_fraction. rewrite Rmult_assoc. rewrite <- (Rmult_1_r (Q2R x)) at 2. f_equal.
  replace (IZR (Zpos (2 ^ Pos.of_nat halvings))) with (2 ^ halvings); [field; apply pow_nonzero; lra|].
  rewrite pow_IZR. f_equal.
Qed.
Lemma exp_below_value x : 0 <= Q2R (exp_below x) <= exp (Q2R x).
Proof.
  pose proof Q2R_0 as Z. unfold exp_below. cbv zeta.
  pose proof (Qle_bool_value 0 (1 + small x)) as H. destruct (Qle_bool 0 (1 + small x)).
  - rewrite <- (small_value x). apply squared_down. pose proof (down_value (1 + small x)) as D. rewrite Z in H.
    split; [now apply down_nonnegative|]. rewrite Q2R_plus in D. pose proof (exp_ineq1_le (Q2R (small x))) as E.
    rewrite Q2R_1 in D. lra.
  - rewrite Z. pose proof (exp_pos (Q2R x)). lra.
Qed.
Definition exp_bounds (b : interval) : option interval :=
  let inverse := exp_below (- high b) in
  if Qle_bool inverse 0 then None else Some (outwards (exp_below (low b)) (/ inverse)).
Lemma exp_le r s : r <= s -> exp r <= exp s.
Proof. intros [H| ->]; [left; now apply exp_increasing|apply Rle_refl]. Qed.
Lemma exp_within b c r : exp_bounds b = Some c -> within b r -> within c (exp r).
Proof.
  unfold exp_bounds. cbv zeta. pose proof (Qle_bool_value (exp_below (- high b)) 0) as P.
  pose proof Q2R_0 as Z. rewrite Z in P.
  destruct (Qle_bool _ 0); [discriminate|]. intros H [L U]. apply some_equal in H. subst c. apply outwards_within.
  split.
  - apply (Rle_trans _ (exp (Q2R (low b)))); [apply exp_below_value|now apply exp_le].
  - rewrite Q2R_inv by (intros E; apply Qeq_eqR in E; lra).
    apply (Rle_trans _ (exp (Q2R (high b)))); [now apply exp_le|].
    destruct (exp_below_value (- high b)) as [_ E]. rewrite Q2R_opp, exp_Ropp in E.
    rewrite <- (Rinv_inv (exp (Q2R (high b)))). apply Rinv_le_contravar; assumption.
Qed.

(* Logarithms: 1 - 1/r <= ln r <= r - 1, at roots of roots. *)
Fixpoint rooted (times : nat) (b : interval) : interval :=
  match times with
  | O => b
  | S times => rooted times {| low := low (root_bounds (low b)); high := high (root_bounds (high b)) |}
  end.
Definition log_bounds (p : positive) : option interval :=
  let b := rooted halvings {| low := inject_Z (Zpos p); high := inject_Z (Zpos p) |} in
  let times := inject_Z (2 ^ Z.of_nat halvings) in
  if Qle_bool (low b) 0 then None else Some (outwards (times * (1 - / low b)) (times * (high b - 1))).
Lemma ln_le_minus_1 r : 0 < r -> ln r <= r - 1.
Proof.
  intros H. rewrite <- (ln_exp (r - 1)). destruct (exp_ineq1_le (r - 1)) as [E|E].
  - left. apply ln_increasing; lra.
  - right. f_equal. lra.
Qed.
Lemma rooted_value times : forall b r, 0 < r -> 0 <= Q2R (low b) -> within b r ->
  exists s, within (rooted times b) s /\ 0 < s /\ ln r = 2 ^ times * ln s.
Proof.
  induction times as [|times IH]; cbn [rooted pow]; intros b r P N H; [exists r; repeat split; lra || apply H|].
  destruct (IH {| low := low (root_bounds (low b)); high := high (root_bounds (high b)) |} (sqrt r)) as (s & W & S & E).
  - now apply sqrt_lt_R0.
  - cbn [low root_bounds]. rewrite Q2R_fraction. apply Rmult_le_pos; [apply IZR_le, Z.sqrt_nonneg|left; apply Rinv_0_lt_compat, positive_IZR].
  - unfold within in *. cbn [low high]. split.
    + apply (Rle_trans _ (sqrt (Q2R (low b)))); [now apply root_within|apply sqrt_le_1_alt; lra].
    + apply (Rle_trans _ (sqrt (Q2R (high b)))); [apply sqrt_le_1_alt; lra|apply root_within; lra].
  - exists s. repeat split; try assumption; try apply W. rewrite Rmult_assoc, <- E.
    rewrite <- (sqrt_sqrt r) at 1 by lra. rewrite ln_mult by (now apply sqrt_lt_R0). ring.
Qed.
Lemma log_within p b : log_bounds p = Some b -> within b (ln (IZR (Zpos p))).
Proof.
  unfold log_bounds. cbv zeta. set (start := {| low := _; high := _ |}).
  pose proof (positive_IZR p) as P.
  destruct (rooted_value halvings start (IZR (Zpos p)) P) as (s & [L U] & S & E).
  - unfold start; cbn [low]. rewrite Q2R_integer. lra.
  - unfold within, start; cbn [low high]. rewrite Q2R_integer. lra.
  - generalize dependent (rooted halvings start). intros c L U. pose proof (Qle_bool_value (low c) 0) as B.
    pose proof Q2R_0 as Z. pose proof Q2R_1 as O. rewrite Z in B.
    destruct (Qle_bool (low c) 0); [discriminate|]. intros H. apply some_equal in H. subst b. apply outwards_within.
    rewrite !Q2R_mult, !Q2R_minus, Q2R_inv, Q2R_integer, O by (intros C; apply Qeq_eqR in C; lra).
    replace (IZR (2 ^ Z.of_nat halvings)) with (2 ^ halvings) by (rewrite pow_IZR; reflexivity).
    rewrite E. assert (T : 0 < 2 ^ halvings) by (apply pow_lt; lra).
    pose proof (ln_le_minus_1 s S) as A. pose proof (ln_le_minus_1 (/ s) (Rinv_0_lt_compat s S)) as C.
    rewrite ln_Rinv in C by assumption. assert (/ s <= / Q2R (low c)) by (apply Rinv_le_contravar; assumption).
    split; (apply Rmult_le_compat_l; [lra|]); lra.
Qed.

Definition atom_bounds (a : atom) : option interval :=
  match a with Root p => Some (root_bounds (inject_Z (Zpos p))) | Log p => log_bounds p end.
Definition with_bounds (f : interval -> interval -> interval) (b c : option interval) : option interval :=
  match b, c with Some b, Some c => Some (f b c) | _, _ => None end.
Fixpoint monomial_bounds (m : monomial) : option interval :=
  match m with [] => Some (outwards 1 1) | a :: rest => with_bounds times_bounds (atom_bounds a) (monomial_bounds rest) end.
Fixpoint polynomial_bounds (p : polynomial) : option interval :=
  match p with
  | [] => Some (outwards 0 0)
  | (x, m) :: rest =>
      with_bounds plus_bounds (with_bounds times_bounds (Some (outwards x x)) (monomial_bounds m)) (polynomial_bounds rest)
  end.
Fixpoint sum_bounds (s : combination) : option interval :=
  match s with
  | [] => Some (outwards 0 0)
  | (c, e) :: rest =>
      let power := match polynomial_bounds e with Some b => exp_bounds b | None => None end in
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
Lemma bounded_rational x : bounded (Some (outwards x x)) (Q2R x).
Proof. intros c C. apply some_equal in C. subst c. apply outwards_within. lra. Qed.
Lemma bounded_monomial m : bounded (monomial_bounds m) (monomial_value m).
Proof.
  induction m as [|a m IH]; cbn [monomial_bounds monomial_value].
  - rewrite <- Q2R_1. apply bounded_rational.
  - apply bounded_times; [|assumption]. intros c. destruct a as [p|p]; cbn [atom_bounds atom_value].
    + intros C. apply some_equal in C. subst c. rewrite <- Q2R_integer. apply root_within. rewrite Q2R_integer.
      left. apply positive_IZR.
    + apply log_within.
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
  - apply bounded_plus; [|assumption]. apply bounded_times; [apply bounded_polynomial|]. intros b.
    pose proof (bounded_polynomial e) as E. destruct (polynomial_bounds e) as [d|]; [|discriminate].
    intros B. apply (exp_within _ _ _ B). now apply E.
Qed.

(* The sign of a sum, where it is seen from its form or from bounds. *)
Definition sum_sign (s : combination) : option comparison :=
  match s with
  | [] => Some Eq
  | _ =>
      if is_positive s then Some Gt
      else if is_positive (negated_sum s) then Some Lt
      else match sum_bounds s with
        | Some b => if Qle_bool (low b) 0 then if Qle_bool 0 (high b) then None else Some Lt else Some Gt
        | None => None
        end
  end.
Definition has_sign (c : comparison) (r : R) : Prop := match c with Eq => r = 0 | Lt => r < 0 | Gt => 0 < r end.
Lemma sum_sign_value s c : sum_sign s = Some c -> has_sign c (sum_value s).
Proof.
  unfold sum_sign. destruct s as [|t s]; [intros H; apply some_equal in H; now subst c|].
  destruct (is_positive (t :: s)) eqn:P; [intros H; apply some_equal in H; subst c; now apply positive_value|].
  destruct (is_positive (negated_sum (t :: s))) eqn:M.
  - intros H. apply some_equal in H. subst c. apply positive_value in M. rewrite negated_sum_value in M. cbn [has_sign]. lra.
  - pose proof (bounded_sum (t :: s)) as B. destruct (sum_bounds (t :: s)) as [b|]; [|discriminate].
    destruct (B b eq_refl) as [L U]. pose proof (Qle_bool_value (low b) 0) as A. pose proof (Qle_bool_value 0 (high b)) as C.
    pose proof Q2R_0 as Z. rewrite Z in A, C.
    destruct (Qle_bool (low b) 0); [destruct (Qle_bool 0 (high b)); [discriminate|]|];
      intros H; apply some_equal in H; subst c; cbn [has_sign]; lra.
Qed.

(* Quotients. *)
Record number := { above : combination; below : combination }.
Definition is (x : number) (r : R) : Prop := sum_value (below x) <> 0 /\ r = sum_value (above x) / sum_value (below x).
Definition one : combination := of_polynomial (constant 1).
Lemma one_value : sum_value one = 1.
Proof. unfold one. rewrite of_polynomial_value, constant_value. unfold Q2R. cbn. lra. Qed.
Definition whole (s : combination) : number := {| above := s; below := one |}.
Lemma whole_is s : is (whole s) (sum_value s).
Proof. unfold is, whole; cbn [above below]. rewrite one_value. split; [lra|field]. Qed.
Definition rational (x : Q) : number := whole (of_polynomial (constant x)).
Lemma rational_is x : is (rational x) (Q2R x).
Proof. pose proof (whole_is (of_polynomial (constant x))) as H. now rewrite of_polynomial_value, constant_value in H. Qed.
Definition integer (z : Z) : number := rational (inject_Z z).
Lemma integer_is z : is (integer z) (IZR z).
Proof. unfold integer. rewrite <- Q2R_integer. apply rational_is. Qed.

(* A term that is divided by exactly: of roots alone, with a coefficient that is not 0. *)
Fixpoint inverse_monomial (m : monomial) : option (Q * monomial) :=
  match m with
  | [] => Some (1, [])%Q
  | Root p :: rest =>
      option_map (fun '(x, k) => let (factor, k) := insert (Root p) k in (Qred (x * (factor # p)), k)) (inverse_monomial rest)
  | Log _ :: _ => None
  end.
Lemma inverse_monomial_value m x k :
  inverse_monomial m = Some (x, k) -> monomial_value m <> 0 /\ Q2R x * monomial_value k = / monomial_value m.
Proof.
  revert x k. induction m as [|[p|p] m IH]; cbn [inverse_monomial monomial_value]; intros x k H; [| |discriminate].
  - injection H as <- <-. cbn [monomial_value]. unfold Q2R. cbn. split; lra.
  - destruct (inverse_monomial m) as [[y l]|]; [|discriminate]. cbn [option_map] in H.
    destruct (IH _ _ eq_refl) as [N E]. pose proof (insert_value (Root p) l) as I. destruct (insert (Root p) l) as [factor l'].
    assert (Qred (y * (factor # p)) = x) by congruence. assert (l' = k) by congruence. subst x k. clear H.
    assert (P : 0 < IZR (Zpos p)) by (apply IZR_lt; lia). pose proof (sqrt_lt_R0 _ P) as S. cbn [atom_value] in *.
    split; [apply Rmult_integral_contrapositive_currified; lra|].
    rewrite Rinv_mult, <- E, Q2R_Qred, Q2R_mult. unfold Q2R at 2. cbn [Qnum Qden].
    transitivity (Q2R y * / IZR (Zpos p) * (IZR factor * monomial_value l')); [ring|].
    rewrite I. pose proof (root_square p) as R. set (r := sqrt _) in *. rewrite <- R. field. lra.
Qed.
Definition inverse (s : combination) : option combination :=
  match s with
  | [([(x, m)], e)] =>
      if Qeq_bool x 0 then None
      else option_map (fun '(y, k) => add_term (scaled (/ x) [] (plus_term y k [])) (negated e) []) (inverse_monomial m)
  | _ => None
  end.
Lemma inverse_value s t : inverse s = Some t -> sum_value s <> 0 /\ sum_value t = / sum_value s.
Proof.
  destruct s as [|[[|[x m] [|]] e] [|]]; cbn [inverse]; try discriminate.
  destruct (Qeq_bool x 0) eqn:E; [discriminate|]. apply Qeq_bool_neq in E.
  destruct (inverse_monomial m) as [[y k]|] eqn:I; [|discriminate]. apply inverse_monomial_value in I. destruct I as [N I].
  cbn [option_map]. intros H. apply some_equal in H. subst. cbn [sum_value polynomial_value].
  rewrite add_term_value, scaled_value, plus_term_value, negated_value. cbn [polynomial_value monomial_value sum_value].
  assert (X : Q2R x <> 0) by (intros C; apply E, eqR_Qeq; rewrite C; unfold Q2R; cbn; lra).
  pose proof (exp_pos (polynomial_value e)) as P. rewrite !Rplus_0_r. split.
  - apply Rmult_integral_contrapositive_currified; [apply Rmult_integral_contrapositive_currified; assumption|lra].
  - rewrite exp_Ropp, Q2R_inv, I by assumption. field. repeat split; assumption || lra.
Qed.

(* A quotient whose denominator is seen not to be 0, in a short form: without a denominator where that can be, and as a
   rational number where the numerator is a multiple of the denominator. *)
Definition ratio (s t : combination) : Q :=
  match s, t with ((x, _) :: _, _) :: _, ((y, _) :: _, _) :: _ => Qred (x / y) | _, _ => 0%Q end.
Definition quotient (s t : combination) : option number :=
  match inverse t with
  | Some u => Some (whole (times_sums s u))
  | None =>
      let x := ratio s t in
      match sum_sign t with
      | None | Some Eq => None
      | _ => if same_sum s (times_term (constant x) [] t) then Some (rational x) else Some {| above := s; below := t |}
      end
  end.
Lemma quotient_is s t x : quotient s t = Some x -> sum_value t <> 0 /\ is x (sum_value s / sum_value t).
Proof.
  unfold quotient. destruct (inverse t) as [u|] eqn:I.
  - apply inverse_value in I. destruct I as [N I]. intros H. apply some_equal in H. subst x. split; [assumption|].
    unfold Rdiv. rewrite <- I, <- times_sums_value. apply whole_is.
  - cbv zeta. intros H. destruct (sum_sign t) as [c|] eqn:P; [|discriminate]. apply sum_sign_value in P.
    assert (N : sum_value t <> 0) by (destruct c; [discriminate| |]; cbn [has_sign] in P; lra). split; [assumption|].
    assert (K : (if same_sum s (times_term (constant (ratio s t)) [] t) then Some (rational (ratio s t))
      else Some {| above := s; below := t |}) = Some x) by (destruct c; [discriminate|exact H|exact H]). clear H.
    destruct (same_sum _ _) eqn:S; apply some_equal in K; subst x.
    + apply same_sum_value in S. rewrite S, times_term_value, constant_value. cbn [polynomial_value]. rewrite exp_0.
      replace (_ / _) with (Q2R (ratio s t)) by (field; assumption). apply rational_is.
    + split; [assumption|reflexivity].
Qed.

(* What is computed may be unknown. *)
Definition means (x : option number) (r : R) : Prop := forall y, x = Some y -> is y r.
Definition then_ {A B} (x : option A) (f : A -> option B) : option B := match x with Some y => f y | None => None end.
Definition lift (f : number -> option number) (x : option number) : option number := then_ x f.
Definition lift2 (f : number -> number -> option number) (x y : option number) : option number :=
  then_ x (fun x => then_ y (f x)).
Lemma means_some x r : is x r -> means (Some x) r.
Proof. intros H y E. injection E as <-. exact H. Qed.
Lemma lift_means f g : (forall x r, is x r -> means (f x) (g r)) -> forall x r, means x r -> means (lift f x) (g r).
Proof. intros H [x|] r X; [|discriminate]. cbn. apply H. now apply X. Qed.
Lemma lift2_means f g : (forall x y r s, is x r -> is y s -> means (f x y) (g r s)) ->
  forall x y r s, means x r -> means y s -> means (lift2 f x y) (g r s).
Proof. intros H [x|] [y|] r s X Y; try discriminate. cbn. apply H; [now apply X|now apply Y]. Qed.

Definition add (x y : number) : option number :=
  if same_sum (below x) (below y) then quotient (add_sums (above x) (above y)) (below x)
  else quotient (add_sums (times_sums (above x) (below y)) (times_sums (above y) (below x))) (times_sums (below x) (below y)).
Lemma add_means x y r s : is x r -> is y s -> means (add x y) (r + s).
Proof.
  intros [Nx ->] [Ny ->] z. unfold add. destruct (same_sum _ _) eqn:S; intros H; apply quotient_is in H; destruct H as [N H].
  - apply same_sum_value in S. rewrite add_sums_value in H. rewrite <- S.
    replace (_ / _ + _) with ((sum_value (above x) + sum_value (above y)) / sum_value (below x)) by (field; assumption).
    exact H.
  - rewrite add_sums_value, !times_sums_value in H. replace (_ / _ + _) with ((sum_value (above x) * sum_value (below y)
      + sum_value (above y) * sum_value (below x)) / (sum_value (below x) * sum_value (below y))) by (field; split; assumption).
    exact H.
Qed.
Definition multiply (x y : number) : option number :=
  quotient (times_sums (above x) (above y)) (times_sums (below x) (below y)).
Lemma multiply_means x y r s : is x r -> is y s -> means (multiply x y) (r * s).
Proof.
  intros [Nx ->] [Ny ->] z H. apply quotient_is in H. rewrite !times_sums_value in H. destruct H as [N H].
  replace (_ / _ * _) with ((sum_value (above x) * sum_value (above y)) / (sum_value (below x) * sum_value (below y)))
    by (field; split; assumption). exact H.
Qed.
Definition negate (x : number) : number := {| above := negated_sum (above x); below := below x |}.
Lemma negate_is x r : is x r -> is (negate x) (- r).
Proof.
  intros [N ->]. unfold negate. split; cbn [above below]; [assumption|]. rewrite negated_sum_value. field. assumption.
Qed.
Definition subtract (x y : number) : option number := add x (negate y).
Lemma subtract_means x y r s : is x r -> is y s -> means (subtract x y) (r - s).
Proof. intros X Y. apply add_means; [|apply negate_is]; assumption. Qed.
Definition divide (x y : number) : option number :=
  quotient (times_sums (above x) (below y)) (times_sums (below x) (above y)).
Lemma divide_means x y r s : is x r -> is y s -> means (divide x y) (r / s).
Proof.
  intros [Nx ->] [Ny ->] z H. apply quotient_is in H. rewrite !times_sums_value in H. destruct H as [N H].
  assert (Na : sum_value (above y) <> 0) by (intros E; apply N; rewrite E; ring).
  replace (_ / _ / _) with ((sum_value (above x) * sum_value (below y)) / (sum_value (below x) * sum_value (above y)))
    by (field; repeat split; assumption). exact H.
Qed.

(* Signs and comparisons. *)
Definition opposite (c : comparison) : comparison := match c with Eq => Eq | Lt => Gt | Gt => Lt end.
Definition sign (x : number) : option comparison :=
  match sum_sign (below x), sum_sign (above x) with
  | Some Gt, c => c
  | Some Lt, Some c => Some (opposite c)
  | _, _ => None
  end.
Lemma sign_is x r c : is x r -> sign x = Some c -> has_sign c r.
Proof.
  intros [N ->]. unfold sign. destruct (sum_sign (below x)) as [b|] eqn:B; [|discriminate]. apply sum_sign_value in B.
  destruct (sum_sign (above x)) as [a|] eqn:A; [apply sum_sign_value in A|now destruct b].
  destruct b; [discriminate| |]; intros H; apply some_equal in H; subst c; cbn [has_sign] in B.
  - assert (I : 0 < / - sum_value (below x)) by (apply Rinv_0_lt_compat; lra).
    replace (sum_value (above x) / sum_value (below x)) with (- sum_value (above x) * / - sum_value (below x)) by (field; lra).
    destruct a; cbn [opposite has_sign] in *; [rewrite A; ring|nra|nra].
  - assert (I : 0 < / sum_value (below x)) by (now apply Rinv_0_lt_compat). unfold Rdiv.
    destruct a; cbn [has_sign] in *; [rewrite A; ring|nra|nra].
Qed.

Definition one_if (truth : bool) : number := integer (if truth then 1 else 0).
Definition compared (accepts : comparison -> bool) (x y : number) : option number :=
  then_ (subtract x y) (fun d => option_map (fun c => one_if (accepts c)) (sign d)).
Lemma compared_means accepts (P : R -> R -> Prop) (decided : forall r s, {P r s} + {~ P r s}) :
  (forall r s, match accepts (if Rlt_dec r s then Lt else if Rlt_dec s r then Gt else Eq) with
    true => P r s | false => ~ P r s end) ->
  forall x y r s, is x r -> is y s -> means (compared accepts x y) (holds (decided r s)).
Proof.
  intros H x y r s X Y z. unfold compared. destruct (subtract x y) as [d|] eqn:E; [|discriminate]. cbn [then_].
  pose proof (subtract_means x y r s X Y d E) as D. destruct (sign d) as [c|] eqn:S; [|discriminate]. apply (sign_is _ _ _ D) in S.
  cbn [option_map]. intros Z. apply some_equal in Z. subst z. unfold one_if, holds.
  specialize (H r s). destruct (Rlt_dec r s), (Rlt_dec s r), c; cbn [has_sign] in S; try lra;
    destruct (accepts _), (decided r s); try contradiction; apply integer_is.
Qed.
Definition less : number -> number -> option number := compared (fun c => match c with Lt => true | _ => false end).
Lemma less_means x y r s : is x r -> is y s -> means (less x y) (is_less r s).
Proof. apply (compared_means _ _ Rlt_dec). intros a b. destruct (Rlt_dec a b), (Rlt_dec b a); lra. Qed.
Definition at_most : number -> number -> option number := compared (fun c => match c with Gt => false | _ => true end).
Lemma at_most_means x y r s : is x r -> is y s -> means (at_most x y) (is_at_most r s).
Proof. apply (compared_means _ _ Rle_dec). intros a b. destruct (Rlt_dec a b), (Rlt_dec b a); lra. Qed.
Definition equal : number -> number -> option number := compared (fun c => match c with Eq => true | _ => false end).
Lemma equal_means x y r s : is x r -> is y s -> means (equal x y) (is_equal r s).
Proof. apply (compared_means _ _ Req_EM_T). intros a b. destruct (Rlt_dec a b), (Rlt_dec b a); lra. Qed.
Definition greater_of (x y : number) : option number :=
  then_ (subtract x y) (fun d => option_map (fun c => match c with Lt => y | _ => x end) (sign d)).
Lemma greater_of_means x y r s : is x r -> is y s -> means (greater_of x y) (Rmax r s).
Proof.
  intros X Y z. unfold greater_of. destruct (subtract x y) as [d|] eqn:E; [|discriminate]. cbn [then_].
  pose proof (subtract_means x y r s X Y d E) as D. destruct (sign d) as [c|] eqn:S; [|discriminate]. apply (sign_is _ _ _ D) in S.
  cbn [option_map]. intros Z. apply some_equal in Z. subst z. unfold Rmax. destruct (Rle_dec r s), c; cbn [has_sign] in S; try lra; try assumption.
  replace s with r by lra. assumption.
Qed.
Definition less_of (x y : number) : option number := option_map negate (greater_of (negate x) (negate y)).
Lemma less_of_means x y r s : is x r -> is y s -> means (less_of x y) (Rmin r s).
Proof.
  intros X Y z. unfold less_of. destruct (greater_of (negate x) (negate y)) as [w|] eqn:E; [|discriminate].
  cbn [option_map]. intros Z. apply some_equal in Z. subst z.
  replace (Rmin r s) with (- Rmax (- r) (- s)) by (unfold Rmax, Rmin; destruct (Rle_dec r s), (Rle_dec (- r) (- s)); lra).
  apply negate_is. exact (greater_of_means _ _ _ _ (negate_is _ _ X) (negate_is _ _ Y) _ E).
Qed.

(* Functions. *)
Definition as_polynomial (x : number) : option polynomial :=
  if same_sum (below x) one then
    match above x with [] => Some [] | [(c, [])] => Some c | _ => None end
  else None.
Lemma as_polynomial_value x r p : is x r -> as_polynomial x = Some p -> r = polynomial_value p.
Proof.
  intros [N ->]. unfold as_polynomial. destruct (same_sum (below x) one) eqn:S; [|discriminate].
  apply same_sum_value in S. rewrite S, one_value.
  destruct (above x) as [|[c [|]] [|]]; try discriminate; intros H; apply some_equal in H; subst p;
    cbn [sum_value polynomial_value]; rewrite ?exp_0; field.
Qed.
Definition as_rational (x : number) : option Q :=
  match as_polynomial x with Some [] => Some 0%Q | Some [(q, [])] => Some q | _ => None end.
Lemma as_rational_value x r q : is x r -> as_rational x = Some q -> r = Q2R q.
Proof.
  intros X. unfold as_rational. destruct (as_polynomial x) as [p|] eqn:E; [|discriminate].
  apply (as_polynomial_value _ _ _ X) in E. subst r.
  destruct p as [|[y [|]] [|]]; try discriminate; intros H; apply some_equal in H; subst q; cbn [polynomial_value monomial_value].
  - unfold Q2R. cbn. lra.
  - ring.
Qed.
Definition as_integer (x : number) : option Z :=
  then_ (as_rational x) (fun q => let q := Qred q in if Pos.eqb (Qden q) 1 then Some (Qnum q) else None).
Lemma as_integer_value x r z : is x r -> as_integer x = Some z -> r = IZR z.
Proof.
  intros X. unfold as_integer. destruct (as_rational x) as [q|] eqn:E; [|discriminate]. cbn [then_].
  apply (as_rational_value _ _ _ X) in E. rewrite <- Q2R_Qred in E. subst r. cbv zeta.
  destruct (Pos.eqb_spec (Qden (Qred q)) 1) as [D|]; [|discriminate].
  intros H. apply some_equal in H. subst z. unfold Q2R. rewrite D. field.
Qed.

Definition exponential (x : number) : option number :=
  option_map (fun p => let (c, e) := settle p in whole (add_term c e [])) (as_polynomial x).
Lemma exponential_means x r : is x r -> means (exponential x) (exp r).
Proof.
  intros X z. unfold exponential. destruct (as_polynomial x) as [p|] eqn:E; [|discriminate].
  apply (as_polynomial_value _ _ _ X) in E. subst r. pose proof (settle_value p) as S.
  cbn [option_map]. destruct (settle p) as [c e]. intros Z. apply some_equal in Z. subst z.
  rewrite <- S. pose proof (whole_is (add_term c e [])) as W. rewrite add_term_value in W. cbn [sum_value] in W.
  now rewrite Rplus_0_r in W.
Qed.

(* The factors of a positive integer, primes where they are small; of what is left, two where it is a square. *)
Fixpoint split (fuel : nat) (candidate n : Z) : list positive :=
  match fuel with
  | O => let root := Z.sqrt n in if (root * root =? n)%Z then [Z.to_pos root; Z.to_pos root] else [Z.to_pos n]
  | S fuel =>
      if (n <? candidate * candidate)%Z then [Z.to_pos n]
      else if (n mod candidate =? 0)%Z then Z.to_pos candidate :: split fuel candidate (n / candidate)
      else split fuel (candidate + 1) n
  end.
Definition product (l : list positive) : positive := fold_right Pos.mul 1%positive l.
Definition factors (n : positive) : list positive :=
  let found := filter (fun p => negb (Pos.eqb p 1)) (split 4000 2 (Zpos n)) in if Pos.eqb (product found) n then found else [n].
Lemma factors_product n : product (factors n) = n.
Proof.
  unfold factors. cbv zeta. set (found := filter _ _). destruct (Pos.eqb_spec (product found) n); [assumption|]. cbn. lia.
Qed.
Lemma product_app l m : product (l ++ m) = (product l * product m)%positive.
Proof. unfold product. induction l as [|p l IH]; [reflexivity|]. cbn [app fold_right]. rewrite IH. apply Pos.mul_assoc. Qed.
Lemma IZR_product p l : IZR (Zpos (product (p :: l))) = IZR (Zpos p) * IZR (Zpos (product l)).
Proof. rewrite <- mult_IZR. reflexivity. Qed.

Definition root (q : Q) : option polynomial :=
  match Qnum q with
  | Z0 => Some []
  | Zpos p =>
      let (factor, m) := times_monomial (List.map Root (factors p ++ factors (Qden q))) [] in
      Some (plus_term (Qred (inject_Z factor * (1 # Qden q))) m [])
  | Zneg _ => None
  end.
Lemma roots_value l : monomial_value (List.map Root l) = sqrt (IZR (Zpos (product l))).
Proof.
  induction l as [|p l IH]; [cbn; now rewrite sqrt_1|]. rewrite IZR_product, sqrt_mult; try (left; apply positive_IZR).
  cbn [List.map monomial_value atom_value]. now rewrite IH.
Qed.
Lemma root_value q p : root q = Some p -> polynomial_value p = sqrt (Q2R q).
Proof.
  unfold root, Q2R. destruct (Qnum q) as [|k|k]; [| |discriminate].
  - intros H. apply some_equal in H. subst p. cbn [polynomial_value]. rewrite Rmult_0_l. now rewrite sqrt_0.
  - pose proof (times_monomial_value (List.map Root (factors k ++ factors (Qden q))) []) as T.
    destruct (times_monomial _ _) as [factor m]. intros H. apply some_equal in H. subst p.
    rewrite plus_term_value, Q2R_Qred, Q2R_mult, Q2R_integer. cbn [polynomial_value]. rewrite roots_value, product_app, !factors_product in T.
    pose proof (positive_IZR k) as K. pose proof (positive_IZR (Qden q)) as D.
    rewrite Pos2Z.inj_mul, mult_IZR in T. cbn [monomial_value] in T. unfold Q2R. cbn [Qnum Qden].
    transitivity (IZR factor * monomial_value m / IZR (Zpos (Qden q))); [field; lra|]. rewrite T.
    replace (IZR (Zpos k) * / IZR (Zpos (Qden q))) with (IZR (Zpos k) * IZR (Zpos (Qden q)) / (IZR (Zpos (Qden q)) * IZR (Zpos (Qden q))))
      by (field; lra).
    rewrite sqrt_div_alt by (apply Rmult_lt_0_compat; lra). rewrite sqrt_square by lra. field. lra.
Qed.
Definition square_root (x : number) : option number :=
  then_ (as_rational x) (fun q => option_map (fun p => whole (of_polynomial p)) (root q)).
Lemma square_root_means x r : is x r -> means (square_root x) (sqrt r).
Proof.
  intros X z. unfold square_root. destruct (as_rational x) as [q|] eqn:E; [|discriminate].
  apply (as_rational_value _ _ _ X) in E. subst r. cbn [then_]. destruct (root q) as [p|] eqn:S; [|discriminate].
  apply root_value in S. rewrite <- S. intros Z. apply some_equal in Z. subst z.
  rewrite <- of_polynomial_value. apply whole_is.
Qed.

Definition logs (x : Q) (l : list positive) (p : polynomial) : polynomial :=
  fold_right (fun factor => plus_term x [Log factor]) p l.
Lemma logs_value x l p : polynomial_value (logs x l p) = Q2R x * ln (IZR (Zpos (product l))) + polynomial_value p.
Proof.
  induction l as [|f l IH]; cbn [logs fold_right]; [cbn; rewrite ln_1; ring|]. rewrite plus_term_value. fold (logs x l p).
  rewrite IH, IZR_product, ln_mult by apply positive_IZR. cbn [monomial_value atom_value]. ring.
Qed.
Definition logarithm (x : number) : option number :=
  then_ (as_rational x) (fun q => match Qnum q with
    | Zpos p => Some (whole (of_polynomial (logs 1 (factors p) (logs (-1) (factors (Qden q)) []))))
    | _ => None end).
Lemma logarithm_means x r : is x r -> means (logarithm x) (ln r).
Proof.
  intros X z. unfold logarithm. destruct (as_rational x) as [q|] eqn:E; [|discriminate].
  apply (as_rational_value _ _ _ X) in E. subst r. cbn [then_]. unfold Q2R. destruct (Qnum q) as [|k|k]; try discriminate.
  intros Z. apply some_equal in Z. subst z.
  rewrite ln_mult, ln_Rinv; try apply positive_IZR; [|apply Rinv_0_lt_compat, positive_IZR].
  replace (ln _ + - ln _) with (polynomial_value (logs 1 (factors k) (logs (-1) (factors (Qden q)) []))).
  - rewrite <- of_polynomial_value. apply whole_is.
  - rewrite !logs_value, !factors_product. cbn [polynomial_value]. unfold Q2R. cbn [Qnum Qden]. field.
Qed.

(* Cosines of multiples of a right angle. *)
Definition cosine (x : number) : option number :=
  option_map (fun k => integer (match (k mod 4)%Z with 0 => 1 | 2 => -1 | _ => 0 end)%Z)
    (then_ (multiply (integer 2) x) as_integer).
Lemma cosine_period x k : cos (x + 2 * IZR k * PI) = cos x.
Proof.
  assert (N : forall x n, cos (x + 2 * IZR (Z.of_nat n) * PI) = cos x).
  { intros y n. rewrite <- INR_IZR_INZ. apply cos_period. }
  destruct (Z.le_gt_cases 0 k) as [L|L].
  - rewrite <- (Z2Nat.id k L). apply N.
  - rewrite <- (N (x + 2 * IZR k * PI) (Z.to_nat (- k))). rewrite Z2Nat.id by lia. rewrite opp_IZR. f_equal. ring.
Qed.
Lemma cosine_means x r : is x r -> means (cosine x) (cos (PI * r)).
Proof.
  intros X z. unfold cosine. destruct (multiply (integer 2) x) as [d|] eqn:M; [|discriminate]. cbn [then_].
  apply (multiply_means _ _ _ _ (integer_is 2) X) in M. destruct (as_integer d) as [k|] eqn:E; [|discriminate].
  apply (as_integer_value _ _ _ M) in E. cbn [option_map]. intros Z. apply some_equal in Z. subst z.
  pose proof (Z.div_mod k 4 ltac:(lia)) as D. pose proof (Z.mod_pos_bound k 4 ltac:(lia)) as B.
  replace (PI * r) with (IZR (k mod 4) * (PI / 2) + 2 * IZR (k / 4) * PI).
  2:{ replace r with (IZR k / 2) by lra. rewrite D at 3. rewrite plus_IZR, mult_IZR. field. }
  rewrite cosine_period. set (m := (k mod 4)%Z) in *. clearbody m. clear - B.
  assert (m = 0 \/ m = 1 \/ m = 2 \/ m = 3)%Z as [-> | [-> | [-> | ->]]] by lia.
  - rewrite Rmult_0_l, cos_0. apply integer_is.
  - rewrite Rmult_1_l, cos_PI2. apply integer_is.
  - replace (2 * (PI / 2)) with PI by field. rewrite cos_PI. apply integer_is.
  - replace (3 * (PI / 2)) with (PI / 2 + PI) by field. rewrite neg_cos, cos_PI2, Ropp_0. apply integer_is.
Qed.
Definition sine (x : number) : option number := then_ (subtract (rational (1 # 2)) x) cosine.
Lemma sine_means x r : is x r -> means (sine x) (sin (PI * r)).
Proof.
  intros X z. unfold sine. destruct (subtract (rational (1 # 2)) x) as [d|] eqn:E; [|discriminate]. cbn [then_].
  apply (subtract_means _ _ _ _ (rational_is (1 # 2)) X) in E. intros H. apply (cosine_means _ _ E) in H.
  rewrite <- cos_shift. replace (PI / 2 - PI * r) with (PI * (Q2R (1 # 2) - r)) by (unfold Q2R; cbn; field). exact H.
Qed.

(* Remainders and powers. *)
Lemma Int_part_IZR z : Int_part (IZR z) = z.
Proof.
  destruct (base_Int_part (IZR z)) as [L U]. apply le_IZR in L.
  assert (IZR z < IZR (Int_part (IZR z) + 1)) as G by (rewrite plus_IZR; lra). apply lt_IZR in G. lia.
Qed.
Definition remainder (x y : number) : option number :=
  then_ (as_integer x) (fun a => option_map (fun b => integer (a mod b)) (as_integer y)).
Lemma remainder_means x y r s : is x r -> is y s -> means (remainder x y) (modulo r s).
Proof.
  intros X Y z. unfold remainder. destruct (as_integer x) as [a|] eqn:A; [|discriminate]. cbn [then_].
  destruct (as_integer y) as [b|] eqn:B; [|discriminate]. intros Z. apply some_equal in Z. subst z.
  rewrite (as_integer_value _ _ _ X A), (as_integer_value _ _ _ Y B). unfold modulo. rewrite !Int_part_IZR. apply integer_is.
Qed.
Fixpoint natural_power (x : number) (k : nat) : option number :=
  match k with O => Some (integer 1) | S k => then_ (natural_power x k) (multiply x) end.
Lemma natural_power_means x k r : is x r -> means (natural_power x k) (r ^ k).
Proof.
  intros X. induction k as [|k IH]; cbn [natural_power pow]; [apply means_some, integer_is|].
  intros z. destruct (natural_power x k) as [y|]; [|discriminate]. cbn [then_].
  apply multiply_means; [assumption|now apply IH].
Qed.
Definition integer_power (x y : number) : option number :=
  then_ (as_integer y) (fun k => match k with
    | Z0 => Some (integer 1)
    | Zpos p => natural_power x (Pos.to_nat p)
    | Zneg p => then_ (natural_power x (Pos.to_nat p)) (divide (integer 1))
    end).
Lemma integer_power_means x y r s : is x r -> is y s -> means (integer_power x y) (power r s).
Proof.
  intros X Y z. unfold integer_power. destruct (as_integer y) as [k|] eqn:K; [|discriminate]. cbn [then_].
  rewrite (as_integer_value _ _ _ Y K). unfold power. rewrite Int_part_IZR. destruct k as [|p|p]; cbn [powerRZ].
  - intros H. apply some_equal in H. subst z. apply integer_is.
  - now apply natural_power_means.
  - pose proof (natural_power_means x (Pos.to_nat p) r X) as P. destruct (natural_power x (Pos.to_nat p)) as [w|]; [|discriminate].
    cbn [then_]. intros H. replace (/ r ^ Pos.to_nat p) with (1 / r ^ Pos.to_nat p) by (unfold Rdiv; ring).
    exact (divide_means _ _ _ _ (integer_is 1) (P w eq_refl) _ H).
Qed.
