(* Cosines and sines of rational multiples of pi, by the residues of integers. *)
Require Import Reals ZArith Lra Lia.
From Weightproof Require Import Transformer Rules.
Open Scope R_scope.
Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

Lemma cos_full_turns x k : cos (x + IZR (2 * k) * PI) = cos x.
Proof.
  assert (G : forall y (m : nat), cos (y + IZR (2 * Z.of_nat m) * PI) = cos y).
  { intros y m. rewrite mult_IZR, <- INR_IZR_INZ. apply cos_period. }
  destruct (Z.le_gt_cases 0 k) as [K|K].
  - rewrite <- (Z2Nat.id k K). apply G.
  - rewrite <- (G _ (Z.to_nat (- k))). f_equal. rewrite Z2Nat.id by lia.
    replace (2 * - k)%Z with (- (2 * k))%Z by lia. rewrite opp_IZR. ring.
Qed.
(* cos(pi z/q) depends on z mod 2q alone. *)
Lemma cos_residue z (q : positive) : cos (PI * (IZR z / IZR (Zpos q))) = cos (PI * (IZR (z mod (2 * Zpos q)) / IZR (Zpos q))).
Proof.
  assert (Q : IZR (Zpos q) <> 0) by (apply IZR_neq; lia).
  rewrite (Z.div_mod z (2 * Zpos q)) at 1 by lia. set (k := (z / (2 * Zpos q))%Z). set (r := (z mod (2 * Zpos q))%Z).
  rewrite <- (cos_full_turns (PI * (IZR r / IZR (Zpos q))) k). f_equal. rewrite plus_IZR, !mult_IZR. field. exact Q.
Qed.
Lemma sin_is_cos x : sin (PI * x) = cos (PI * (x - 1 / 2)).
Proof. rewrite <- cos_shift, <- cos_neg. f_equal. field. Qed.

(* The other half turns from those of the first quarter. *)
Lemma cos_second x : cos (PI * x) = - cos (PI * (1 - x)).
Proof. rewrite <- (cos_neg (PI * (1 - x))), <- neg_cos. f_equal. ring. Qed.
Lemma cos_back x : cos (PI * x) = cos (PI * (2 - x)).
Proof. rewrite <- (cos_neg (PI * x)), <- (cos_full_turns (- (PI * x)) 1). f_equal. change (2 * 1)%Z with 2%Z. ring. Qed.
Lemma cos_sixth : cos (PI * (1 / 6)) = sqrt 3 / 2.
Proof. replace (PI * (1 / 6)) with (PI / 6) by field. apply cos_PI6. Qed.
Lemma cos_quarter : cos (PI * (1 / 4)) = sqrt 2 / 2.
Proof.
  replace (PI * (1 / 4)) with (PI / 4) by field. rewrite cos_PI4.
  assert (0 < sqrt 2) by (apply sqrt_lt_R0; lra). apply (Rmult_eq_reg_r (2 * sqrt 2)); [|lra].
  replace (sqrt 2 / 2 * (2 * sqrt 2)) with (sqrt 2 * sqrt 2) by field. rewrite sqrt_sqrt by lra. field. lra.
Qed.
Lemma cos_third : cos (PI * (1 / 3)) = 1 / 2.
Proof. replace (PI * (1 / 3)) with (PI / 3) by field. apply cos_PI3. Qed.
Lemma cos_half : cos (PI * (1 / 2)) = 0.
Proof. replace (PI * (1 / 2)) with (PI / 2) by field. apply cos_PI2. Qed.
Lemma cos_none : cos (PI * 0) = 1.
Proof. rewrite Rmult_0_r. apply cos_0. Qed.

(* The cosine of a number of half turns that is written in numerals. *)
Ltac first_quarter := lazymatch goal with |- context [cos (PI * ?x)] => first
  [ replace x with 0 by lra; rewrite cos_none | replace x with (1 / 6) by lra; rewrite cos_sixth
  | replace x with (1 / 4) by lra; rewrite cos_quarter | replace x with (1 / 3) by lra; rewrite cos_third
  | replace x with (1 / 2) by lra; rewrite cos_half ] end.
Ltac known_cosine := lazymatch goal with |- context [cos (PI * ?x)] => first
  [ first_quarter
  | assert (1 <= x) by lra; rewrite (cos_back x);
    first [first_quarter | rewrite (cos_second (2 - x)); first_quarter]
  | rewrite (cos_second x); first_quarter ] end.
(* The integer that an expression in integers is, and the one that it is a q-th of. *)
Ltac integer_of x := lazymatch x with
  | IZR ?z => z
  | ?a + ?b => let u := integer_of a in let v := integer_of b in constr:((u + v)%Z)
  | ?a - ?b => let u := integer_of a in let v := integer_of b in constr:((u - v)%Z)
  | ?a * ?b => let u := integer_of a in let v := integer_of b in constr:((u * v)%Z)
  | - ?a => let u := integer_of a in constr:((- u)%Z) end.
Ltac denominator_of x := lazymatch x with
  | IZR ?z => constr:(1%positive)
  | ?a + ?b => let p := denominator_of a in let q := denominator_of b in eval compute in (p * q)%positive
  | ?a - ?b => let p := denominator_of a in let q := denominator_of b in eval compute in (p * q)%positive
  | ?a * ?b => let p := denominator_of a in let q := denominator_of b in eval compute in (p * q)%positive
  | ?a / IZR (Zpos ?q) => let p := denominator_of a in eval compute in (p * q)%positive
  | - ?a => denominator_of a end.
(* q times an expression, as an integer. *)
Ltac multiple_of q x := lazymatch x with
  | IZR ?z => constr:((Zpos q * z)%Z)
  | ?a + ?b => let u := multiple_of q a in let v := multiple_of q b in constr:((u + v)%Z)
  | ?a - ?b => let u := multiple_of q a in let v := multiple_of q b in constr:((u - v)%Z)
  | ?a * ?b =>
      let p := denominator_of a in let r := eval compute in (Z.to_pos (Zpos q / Zpos p)) in
      let u := multiple_of p a in let v := multiple_of r b in constr:((u * v)%Z)
  | ?a / IZR (Zpos ?p) => let r := eval compute in (Z.to_pos (Zpos q / Zpos p)) in multiple_of r a
  | - ?a => let u := multiple_of q a in constr:((- u)%Z) end.
Ltac spread := repeat first [rewrite plus_IZR | rewrite minus_IZR | rewrite mult_IZR | rewrite opp_IZR].
Ltac integer_scalars := repeat match goal with
  | |- context [modulo ?x ?y] => let a := integer_of x in let b := integer_of y in
      replace (modulo x y) with (IZR (a mod b)) by
        (unfold modulo; replace x with (IZR a) by (spread; ring); replace y with (IZR b) by (spread; ring);
         rewrite !Int_part_integer; reflexivity)
  | |- context [power ?x ?y] => let b := integer_of y in
      replace (power x y) with (powerRZ x b) by
        (unfold power; replace y with (IZR b) by (spread; ring); rewrite Int_part_integer; reflexivity)
  end.
(* Comparisons of rational combinations of integers, as those of integers. *)
Ltac compared lemma x y :=
  let q := denominator_of (x - y) in let a := multiple_of q x in let b := multiple_of q y in
  rewrite (lemma (IZR (Zpos q)) x y a b) by first [lra | spread; field].
Ltac integer_comparisons := repeat match goal with
  | |- context [is_equal ?x ?y] => compared is_equal_integers x y
  | |- context [is_at_most ?x ?y] => compared is_at_most_integers x y
  | |- context [is_less ?x ?y] => compared is_less_integers x y end.
(* Waves by the residue of an integer; of each residue the cosine is known. *)
Ltac residues_of r bound := lazymatch bound with
  | Z0 => exfalso; lia
  | _ => let before := eval compute in (bound - 1)%Z in
      destruct (Z.eq_dec r before) as [->|?]; [|residues_of r before] end.
Ltac wave := lazymatch goal with |- context [cos (PI * ?x)] =>
  let q := denominator_of x in let z := multiple_of q x in
  replace x with (IZR z / IZR (Zpos q)) by (spread; field);
  rewrite (cos_residue z q);
  let period := eval compute in (2 * Zpos q)%Z in
  change (2 * Zpos q)%Z with period;
  let r := fresh "r" in let R := fresh "R" in
  remember (z mod period)%Z as r eqn:R;
  residues_of r period; [> try (exfalso; lia); known_cosine ..] end.
Ltac waves := rewrite ?sin_is_cos; repeat wave.
