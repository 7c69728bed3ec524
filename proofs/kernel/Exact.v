(* Exact numbers to compute with: quotients of the sums of `Sums.v`. Each operation answers None where the result is no
   such number, or where the sign that it needs is not seen; whatever it answers is true: [is x r] says that x stands
   for the real number r. *)
Require Import Reals ZArith QArith Qpower Qreals List Bool Lra Lia.
From Weightproof Require Import Transformer Sums Bounds.
Import ListNotations.
Open Scope R_scope.

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
Proof. pose proof (whole_is (of_polynomial (constant x))) as H. now rewrite of_polynomial_value, constant_value in H.
    Qed.
Definition integer (z : Z) : number := rational (inject_Z z).
Lemma integer_is z : is (integer z) (IZR z).
Proof. unfold integer. rewrite <- Q2R_integer. apply rational_is. Qed.

(* A term that is divided by exactly: of roots alone, with a coefficient that is not 0. *)
Fixpoint inverse_monomial (m : monomial) : option (Q * monomial) :=
  match m with
  | [] => Some (1, [])%Q
  | Root p :: rest =>
      option_map (fun '(x, k) => let (factor, k) := insert (Root p) k in (Qred (x * (factor # p)), k))
          (inverse_monomial rest)
  | _ :: _ => None
  end.
Lemma inverse_monomial_value m x k :
  inverse_monomial m = Some (x, k) -> monomial_value m <> 0 /\ Q2R x * monomial_value k = / monomial_value m.
Proof.
  revert x k. induction m as [|[p|p|a b p] m IH]; cbn [inverse_monomial monomial_value]; intros x k H;
    [| |discriminate|discriminate].
  - injection H as <- <-. cbn [monomial_value]. unfold Q2R. cbn. split; lra.
  - destruct (inverse_monomial m) as [[y l]|]; [|discriminate]. cbn [option_map] in H.
    destruct (IH _ _ eq_refl) as [N E]. pose proof (insert_value (Root p) l) as I. destruct (insert (Root p) l) as
        [factor l'].
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
  destruct (inverse_monomial m) as [[y k]|] eqn:I; [|discriminate]. apply inverse_monomial_value in I. destruct I as [N
      I].
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
Lemma means_some x r : is x r -> means (Some x) r.
Proof. intros H y E. injection E as <-. exact H. Qed.
Definition add (x y : number) : option number :=
  if same_sum (below x) (below y) then quotient (add_sums (above x) (above y)) (below x)
  else quotient (add_sums (times_sums (above x) (below y)) (times_sums (above y) (below x))) (times_sums (below x)
      (below y)).
Lemma add_means x y r s : is x r -> is y s -> means (add x y) (r + s).
Proof.
  intros [Nx ->] [Ny ->] z. unfold add. destruct (same_sum _ _) eqn:S; intros H; apply quotient_is in H; destruct H as
      [N H].
  - apply same_sum_value in S. rewrite add_sums_value in H. rewrite <- S.
    replace (_ / _ + _) with ((sum_value (above x) + sum_value (above y)) / sum_value (below x)) by (field; assumption).
    exact H.
  - rewrite add_sums_value, !times_sums_value in H. replace (_ / _ + _) with ((sum_value (above x) * sum_value (below y)
      + sum_value (above y) * sum_value (below x)) / (sum_value (below x) * sum_value (below y))) by (field; split;
          assumption).
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
    replace (sum_value (above x) / sum_value (below x)) with (- sum_value (above x) * / - sum_value (below x)) by
        (field; lra).
    destruct a; cbn [opposite has_sign] in *; [rewrite A; ring|nra|nra].
  - assert (I : 0 < / sum_value (below x)) by (now apply Rinv_0_lt_compat). unfold Rdiv.
    destruct a; cbn [has_sign] in *; [rewrite A; ring|nra|nra].
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
  destruct p as [|[y [|]] [|]]; try discriminate; intros H; apply some_equal in H; subst q; cbn [polynomial_value
      monomial_value].
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
  let found := filter (fun p => negb (Pos.eqb p 1)) (split 4000 2 (Zpos n)) in if Pos.eqb (product found) n then found
      else [n].
Lemma factors_product n : product (factors n) = n.
Proof.
  unfold factors. cbv zeta. set (found := filter _ _). destruct (Pos.eqb_spec (product found) n); [assumption|]. cbn.
      lia.
Qed.
Lemma product_app l m : product (l ++ m) = (product l * product m)%positive.
Proof. unfold product. induction l as [|p l IH]; [reflexivity|]. cbn [app fold_right]. rewrite IH. apply Pos.mul_assoc.
    Qed.
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
    rewrite plus_term_value, Q2R_Qred, Q2R_mult, Q2R_integer. cbn [polynomial_value]. rewrite roots_value, product_app,
        !factors_product in T.
    pose proof (positive_IZR k) as K. pose proof (positive_IZR (Qden q)) as D.
    rewrite Pos2Z.inj_mul, mult_IZR in T. cbn [monomial_value] in T. unfold Q2R. cbn [Qnum Qden].
    transitivity (IZR factor * monomial_value m / IZR (Zpos (Qden q))); [field; lra|]. rewrite T.
    replace (IZR (Zpos k) * / IZR (Zpos (Qden q))) with (IZR (Zpos k) * IZR (Zpos (Qden q)) / (IZR (Zpos (Qden q)) *
        IZR (Zpos (Qden q))))
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
  induction l as [|f l IH]; cbn [logs fold_right]; [cbn; rewrite ln_1; ring|]. rewrite plus_term_value. fold (logs x l
      p).
  rewrite IH, IZR_product, ln_mult by apply positive_IZR. cbn [monomial_value atom_value]. ring.
Qed.
Definition as_surd (x : number) : option atom :=
  match as_polynomial x with
  | Some [(a, []); (b, [Root p])] | Some [(b, [Root p]); (a, [])] => Some (Log_surd a b p)
  | _ => None
  end.
Lemma as_surd_value x r a : is x r -> as_surd x = Some a -> atom_value a = ln r.
Proof.
  intros X. unfold as_surd. destruct (as_polynomial x) as [p|] eqn:E; [|discriminate].
  apply (as_polynomial_value _ _ _ X) in E. subst r.
  destruct p as [|[u [|[k| |] [|]]] [|[v [|[l| |] [|]]] [|]]]; try discriminate;
    intros H; apply some_equal in H; subst a; cbn [atom_value polynomial_value monomial_value]; f_equal; ring.
Qed.
Definition logarithm (x : number) : option number :=
  match as_rational x with
  | Some q =>
      match Qnum q with
      | Zpos p => Some (whole (of_polynomial (logs 1 (factors p) (logs (-1) (factors (Qden q)) []))))
      | _ => None
      end
  | None => option_map (fun a => whole (of_polynomial (plus_term 1 [a] []))) (as_surd x)
  end.
Lemma logarithm_means x r : is x r -> means (logarithm x) (ln r).
Proof.
  intros X z. unfold logarithm. destruct (as_rational x) as [q|] eqn:E.
  - apply (as_rational_value _ _ _ X) in E. subst r. unfold Q2R. destruct (Qnum q) as [|k|k]; try discriminate.
    intros Z. apply some_equal in Z. subst z.
    rewrite ln_mult, ln_Rinv; try apply positive_IZR; [|apply Rinv_0_lt_compat, positive_IZR].
    replace (ln _ + - ln _) with (polynomial_value (logs 1 (factors k) (logs (-1) (factors (Qden q)) []))).
    + rewrite <- of_polynomial_value. apply whole_is.
    + rewrite !logs_value, !factors_product. cbn [polynomial_value]. unfold Q2R. cbn [Qnum Qden]. field.
  - destruct (as_surd x) as [a|] eqn:S; [|discriminate]. apply (as_surd_value _ _ _ X) in S. cbn [option_map].
    intros Z. apply some_equal in Z. subst z. rewrite <- S.
    replace (atom_value a) with (polynomial_value (plus_term 1 [a] [])).
    + rewrite <- of_polynomial_value. apply whole_is.
    + rewrite plus_term_value, Q2R_1. cbn [polynomial_value monomial_value]. ring.
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

(* Remainders. *)
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
  rewrite (as_integer_value _ _ _ X A), (as_integer_value _ _ _ Y B). unfold modulo. rewrite !Int_part_IZR. apply
      integer_is.
Qed.
