(* Sums of c * exp(e), where c and e are sums of rational multiples of products of square roots and logarithms of
   positive integers: their values, and the operations that stay among them. *)
Require Import Reals ZArith QArith Qpower Qreals List Bool Lra Lia.
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
Fixpoint monomial_value (m : monomial) : R := match m with [] => 1 | a :: rest => atom_value a * monomial_value rest
    end.
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
  fold_right (fun '(y, k) => let (factor, l) := times_monomial m k in plus_term (Qred (x * y * inject_Z factor)) l) []
      p.
Lemma scaled_value x m p : polynomial_value (scaled x m p) = Q2R x * monomial_value m * polynomial_value p.
Proof.
  induction p as [|[y k] p IH]; cbn [scaled fold_right polynomial_value]; [ring|].
  pose proof (times_monomial_value m k) as H. destruct (times_monomial m k) as [factor l].
  rewrite plus_term_value. fold (scaled x m p). rewrite IH, Q2R_Qred, !Q2R_mult, Q2R_integer.
  transitivity (Q2R x * Q2R y * (IZR factor * monomial_value l) + Q2R x * monomial_value m * polynomial_value p);
      [ring|].
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
  assert (N : ~ inject_Z (Zpos p) == 0) by (intros E; apply Qeq_eqR in E; rewrite Q2R_integer in E; unfold Q2R in E;
      cbn in E; lra).
  assert (H : forall k, Q2R (Qpower (inject_Z (Zpos p)) (Z.of_nat k)) = exp (IZR (Z.of_nat k) * ln (IZR (Zpos p)))).
  { induction k as [|k IH].
    - cbn. rewrite Rmult_0_l, exp_0. unfold Q2R. cbn. lra.
    - rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite plus_IZR, Rmult_plus_distr_r, exp_plus, <- IH, Rmult_1_l, exp_ln
        by assumption.
      rewrite <- Q2R_integer, <- Q2R_mult. apply Qeq_eqR. rewrite Qpower_plus by assumption. reflexivity. }
  destruct (Z.le_gt_cases 0 z) as [L|L].
  - rewrite <- (Z2Nat.id z) by assumption. apply H.
  - replace z with (- Z.of_nat (Z.to_nat (- z)))%Z by lia. rewrite Qpower_opp, Q2R_inv, H, opp_IZR.
    + now rewrite <- exp_Ropp, Ropp_mult_distr_l.
    + intros E. apply Qeq_eqR in E. rewrite H in E. pose proof (exp_pos (IZR (Z.of_nat (Z.to_nat (- z))) * ln (IZR
        (Zpos p)))).
      unfold Q2R in E. cbn in E. lra.
Qed.
Lemma settle_term_value x m :
  let (c, e) := settle_term x m in
  polynomial_value c * exp (polynomial_value e) = exp (Q2R x * monomial_value m).
Proof.
  assert (D : polynomial_value (constant 1) * exp (polynomial_value (plus_term x m [])) = exp (Q2R x * monomial_value
      m)).
  { rewrite constant_value, plus_term_value. cbn [polynomial_value]. rewrite Rplus_0_r. unfold Q2R at 1. cbn. lra. }
  destruct m as [|[p|p] [|b m]]; cbn [settle_term]; try exact D. clear D. cbv zeta.
  set (whole := (Qnum x / Zpos (Qden x))%Z).
  assert (P : 0 < IZR (Zpos p)) by (apply IZR_lt; lia).
  assert (X : Q2R x = IZR whole + Q2R (Qred (x - inject_Z whole))).
  { rewrite Q2R_Qred, Q2R_minus, Q2R_integer. ring. }
  destruct (Qeq_bool (Qred (x - inject_Z whole)) (1 # 2)) eqn:E.
  - apply Qeq_bool_iff, Qeq_eqR in E. rewrite E in X. rewrite plus_term_value. cbn [polynomial_value monomial_value
      atom_value].
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
Lemma settle_value e : let (c, f) := settle e in polynomial_value c * exp (polynomial_value f) = exp (polynomial_value
    e).
Proof.
  induction e as [|[x m] e IH]; cbn [settle polynomial_value].
  - rewrite constant_value, exp_0. unfold Q2R. cbn. lra.
  - destruct (settle e) as [c f]. pose proof (settle_term_value x m) as H. destruct (settle_term x m) as [d g].
    rewrite times_value, plus_value, !exp_plus, <- IH, <- H. ring.
Qed.
Definition times_term (c e : polynomial) (s : combination) : combination :=
  fold_right (fun '(d, f) => let (factor, g) := settle (plus e f) in add_term (times factor (times c d)) g) [] s.
Lemma times_term_value c e s : sum_value (times_term c e s) = polynomial_value c * exp (polynomial_value e) * sum_value
    s.
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
