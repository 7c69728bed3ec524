(* Numbers to compute with: exact ones, and where a result is none of these, bounds. Each operation answers None where
   the sign that it needs is not seen; whatever it answers is true: [is x r] says that x stands for the real
   number r. *)
Require Import Reals ZArith QArith List Bool Lra Lia.
From Weightproof Require Import Transformer Sums Bounds.
From Weightproof Require Exact.
Import ListNotations.
Open Scope R_scope.

Inductive number := Exactly (x : Exact.number) | Between (b : interval).
Definition is (x : number) (r : R) : Prop := match x with Exactly x => Exact.is x r | Between b => within b r end.
Definition means (x : option number) (r : R) : Prop := forall y, x = Some y -> is y r.
Definition lift (f : number -> option number) (x : option number) : option number := then_ x f.
Definition lift2 (f : number -> number -> option number) (x y : option number) : option number :=
  then_ x (fun x => then_ y (f x)).
Lemma means_some x r : is x r -> means (Some x) r.
Proof. intros H y E. apply some_equal in E. now subst y. Qed.
Lemma lift_means f g : (forall x r, is x r -> means (f x) (g r)) -> forall x r, means x r -> means (lift f x) (g r).
Proof. intros H [x|] r X; [|discriminate]. cbn. apply H. now apply X. Qed.
Lemma lift2_means f g : (forall x y r s, is x r -> is y s -> means (f x y) (g r s)) ->
  forall x y r s, means x r -> means y s -> means (lift2 f x y) (g r s).
Proof. intros H [x|] [y|] r s X Y; try discriminate. cbn. apply H; [now apply X|now apply Y]. Qed.


Definition bounds (x : number) : option interval :=
  match x with
  | Between b => Some b
  | Exactly x =>
      with_bounds times_bounds (sum_bounds (Exact.above x)) (then_ (sum_bounds (Exact.below x)) inverse_bounds)
  end.
Lemma bounds_hold x r : is x r -> bounded (bounds x) r.
Proof.
  destruct x as [x|b]; cbn [is bounds].
  - intros [_ ->]. unfold Rdiv. apply bounded_times; [apply bounded_sum|]. intros d D.
    pose proof (bounded_sum (Exact.below x)) as B. destruct (sum_bounds _) as [b|]; [|discriminate].
    apply (inverse_within _ _ _ D). now apply B.
  - intros W c C. apply some_equal in C. now subst c.
Qed.

(* An operation: exact, or of bounds. *)
Definition of_one (exact : Exact.number -> option Exact.number) (near : interval -> option interval) (x : number)
  : option number :=
  match match x with Exactly x => exact x | Between _ => None end with
  | Some z => Some (Exactly z)
  | None => option_map Between (then_ (bounds x) near)
  end.
Definition of_two (exact : Exact.number -> Exact.number -> option Exact.number)
  (near : interval -> interval -> option interval) (x y : number) : option number :=
  match match x, y with Exactly x, Exactly y => exact x y | _, _ => None end with
  | Some z => Some (Exactly z)
  | None => option_map Between (then_ (bounds x) (fun b => then_ (bounds y) (near b)))
  end.
Lemma of_one_means exact near g :
  (forall x r, Exact.is x r -> Exact.means (exact x) (g r)) ->
  (forall b d r, near b = Some d -> within b r -> within d (g r)) ->
  forall x r, is x r -> means (of_one exact near x) (g r).
Proof.
  intros E W x r X z. unfold of_one. pose proof (bounds_hold x r X) as B.
  assert (N : option_map Between (then_ (bounds x) near) = Some z -> is z (g r)).
  { destruct (bounds x) as [b|]; [|discriminate]. cbn [then_]. destruct (near b) as [d|] eqn:D; [|discriminate].
    cbn [option_map]. intros Z. apply some_equal in Z. subst z. apply (W b); [assumption|now apply B]. }
  destruct x as [x|b]; [|exact N]. destruct (exact x) as [y|] eqn:Y; [|exact N].
  intros Z. apply some_equal in Z. subst z. now apply (E x r X).
Qed.
Lemma of_two_means exact near g :
  (forall x y r s, Exact.is x r -> Exact.is y s -> Exact.means (exact x y) (g r s)) ->
  (forall b c d r s, near b c = Some d -> within b r -> within c s -> within d (g r s)) ->
  forall x y r s, is x r -> is y s -> means (of_two exact near x y) (g r s).
Proof.
  intros E W x y r s X Y z. unfold of_two. pose proof (bounds_hold x r X) as B. pose proof (bounds_hold y s Y) as C.
  assert (N : option_map Between (then_ (bounds x) (fun b => then_ (bounds y) (near b))) = Some z -> is z (g r s)).
  { destruct (bounds x) as [b|]; [|discriminate]. destruct (bounds y) as [c|]; [|discriminate]. cbn [then_].
    destruct (near b c) as [d|] eqn:D; [|discriminate]. cbn [option_map]. intros Z. apply some_equal in Z. subst z.
    apply (W b c); [assumption|now apply B|now apply C]. }
  destruct x as [x|]; [|exact N]. destruct y as [y|]; [|exact N]. destruct (exact x y) as [w|] eqn:D; [|exact N].
  intros Z. apply some_equal in Z. subst z. now apply (E x y r s X Y).
Qed.

Definition integer (z : Z) : number := Exactly (Exact.integer z).
Lemma integer_is z : is (integer z) (IZR z).
Proof. apply Exact.integer_is. Qed.
Definition negate (x : number) : number :=
  match x with Exactly x => Exactly (Exact.negate x) | Between b => Between (negated_bounds b) end.
Lemma negate_is x r : is x r -> is (negate x) (- r).
Proof. destruct x; [apply Exact.negate_is|apply negated_within]. Qed.
(* Exactly 0 is told by its form. *)
Definition is_zero (x : number) : bool := match x with Exactly x => is_nil (Exact.above x) | Between _ => false end.
Lemma is_zero_value x r : is x r -> is_zero x = true -> r = 0.
Proof.
  destruct x as [x|]; [|discriminate]. intros [N ->]. cbn [is_zero]. destruct (Exact.above x); [|discriminate].
  intros _. cbn [sum_value]. field. exact N.
Qed.
Definition add (x y : number) : option number :=
  if is_zero x then Some y else if is_zero y then Some x
  else of_two Exact.add (fun b c => Some (plus_bounds b c)) x y.
Lemma add_means x y r s : is x r -> is y s -> means (add x y) (r + s).
Proof.
  intros X Y. unfold add. destruct (is_zero x) eqn:A.
  { rewrite (is_zero_value x r X A), Rplus_0_l. now apply means_some. }
  destruct (is_zero y) eqn:B.
  { rewrite (is_zero_value y s Y B), Rplus_0_r. now apply means_some. }
  revert X Y. apply of_two_means; [apply Exact.add_means|]. intros b c d p q D. apply some_equal in D. subst d.
  apply plus_within.
Qed.
Definition subtract (x y : number) : option number := add x (negate y).
Lemma subtract_means x y r s : is x r -> is y s -> means (subtract x y) (r - s).
Proof. intros X Y. apply add_means; [|apply negate_is]; assumption. Qed.
Definition multiply (x y : number) : option number :=
  if (is_zero x || is_zero y)%bool then Some (integer 0)
  else of_two Exact.multiply (fun b c => Some (times_bounds b c)) x y.
Lemma multiply_means x y r s : is x r -> is y s -> means (multiply x y) (r * s).
Proof.
  intros X Y. unfold multiply. destruct (is_zero x) eqn:A.
  { rewrite (is_zero_value x r X A), Rmult_0_l. apply means_some, integer_is. }
  destruct (is_zero y) eqn:B.
  { rewrite (is_zero_value y s Y B), Rmult_0_r. apply means_some, integer_is. }
  revert X Y. apply of_two_means; [apply Exact.multiply_means|]. intros b c d p q D. apply some_equal in D. subst d.
  apply times_within.
Qed.
Definition divide : number -> number -> option number :=
  of_two Exact.divide (fun b c => option_map (times_bounds b) (inverse_bounds c)).
Lemma divide_means x y r s : is x r -> is y s -> means (divide x y) (r / s).
Proof.
  apply of_two_means; [apply Exact.divide_means|]. intros b c d p q D B C.
  destruct (inverse_bounds c) as [e|] eqn:I; [|discriminate]. apply some_equal in D. subst d.
  apply times_within; [assumption|]. now apply (inverse_within c).
Qed.

(* Signs and comparisons. *)
Definition sign (x : number) : option comparison :=
  match x with Exactly x => Exact.sign x | Between b => bounds_sign b end.
Lemma sign_is x r c : is x r -> sign x = Some c -> has_sign c r.
Proof. destruct x as [x|b]; [apply Exact.sign_is|]. intros W S. now apply (bounds_sign_value b). Qed.
Definition one_if (truth : bool) : number := integer (if truth then 1 else 0).
Definition compared (accepts : comparison -> bool) (x y : number) : option number :=
  then_ (subtract x y) (fun d => option_map (fun c => one_if (accepts c)) (sign d)).
Lemma compared_means accepts (P : R -> R -> Prop) (decided : forall r s, {P r s} + {~ P r s}) :
  (forall r s, match accepts (if Rlt_dec r s then Lt else if Rlt_dec s r then Gt else Eq) with
    true => P r s | false => ~ P r s end) ->
  forall x y r s, is x r -> is y s -> means (compared accepts x y) (holds (decided r s)).
Proof.
  intros H x y r s X Y z. unfold compared. destruct (subtract x y) as [d|] eqn:E; [|discriminate]. cbn [then_].
  pose proof (subtract_means x y r s X Y d E) as D. destruct (sign d) as [c|] eqn:S; [|discriminate]. apply (sign_is _
      _ _ D) in S.
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
  match then_ (subtract x y) sign with
  | Some Lt => Some y
  | Some _ => Some x
  | None => option_map Between (with_bounds greatest_bounds (bounds x) (bounds y))
  end.
Lemma greater_of_means x y r s : is x r -> is y s -> means (greater_of x y) (Rmax r s).
Proof.
  intros X Y z. unfold greater_of. pose proof (bounds_hold x r X) as B. pose proof (bounds_hold y s Y) as C.
  destruct (then_ (subtract x y) sign) as [c|] eqn:E.
  - destruct (subtract x y) as [d|] eqn:S; [|discriminate].
    apply (sign_is d (r - s)) in E; [|now apply (subtract_means x y r s)].
    unfold Rmax. destruct c; intros Z; apply some_equal in Z; subst z; destruct (Rle_dec r s); cbn [has_sign] in E;
      try assumption; try lra.
    replace s with r by lra. assumption.
  - destruct (bounds x) as [b|]; [|discriminate]. destruct (bounds y) as [c|]; [|discriminate].
    intros Z. apply some_equal in Z. subst z. apply greatest_within; [now apply B|now apply C].
Qed.
Definition less_of (x y : number) : option number := option_map negate (greater_of (negate x) (negate y)).
Lemma less_of_means x y r s : is x r -> is y s -> means (less_of x y) (Rmin r s).
Proof.
  intros X Y z. unfold less_of. destruct (greater_of (negate x) (negate y)) as [w|] eqn:E; [|discriminate].
  cbn [option_map]. intros Z. apply some_equal in Z. subst z.
  replace (Rmin r s) with (- Rmax (- r) (- s)) by (unfold Rmax, Rmin; destruct (Rle_dec r s), (Rle_dec (- r) (- s));
      lra).
  apply negate_is. exact (greater_of_means _ _ _ _ (negate_is _ _ X) (negate_is _ _ Y) _ E).
Qed.

(* Functions. *)
Definition exponential : number -> option number := of_one Exact.exponential exp_bounds.
Lemma exponential_means x r : is x r -> means (exponential x) (exp r).
Proof. apply of_one_means; [apply Exact.exponential_means|exact exp_within]. Qed.
Definition square_root : number -> option number := of_one Exact.square_root (fun b => Some (root_bounds b)).
Lemma square_root_means x r : is x r -> means (square_root x) (sqrt r).
Proof.
  apply of_one_means; [apply Exact.square_root_means|]. intros b d s D. apply some_equal in D. subst d.
  apply root_within.
Qed.
Definition logarithm : number -> option number := of_one Exact.logarithm log_bounds.
Lemma logarithm_means x r : is x r -> means (logarithm x) (ln r).
Proof. apply of_one_means; [apply Exact.logarithm_means|exact log_within]. Qed.

(* What is computed of exact numbers alone. *)
Definition exactly (f : Exact.number -> option Exact.number) (x : number) : option number :=
  match x with Exactly x => option_map Exactly (f x) | Between _ => None end.
Lemma exactly_means f g : (forall x r, Exact.is x r -> Exact.means (f x) (g r)) ->
  forall x r, is x r -> means (exactly f x) (g r).
Proof.
  intros F [x|b] r X z; [|discriminate]. cbn [exactly]. destruct (f x) as [y|] eqn:Y; [|discriminate].
  cbn [option_map]. intros Z. apply some_equal in Z. subst z. now apply (F x r X).
Qed.
Definition cosine : number -> option number := exactly Exact.cosine.
Lemma cosine_means x r : is x r -> means (cosine x) (cos (PI * r)).
Proof. apply (exactly_means _ (fun r => cos (PI * r))). apply Exact.cosine_means. Qed.
Definition sine : number -> option number := exactly Exact.sine.
Lemma sine_means x r : is x r -> means (sine x) (sin (PI * r)).
Proof. apply (exactly_means _ (fun r => sin (PI * r))). apply Exact.sine_means. Qed.
Definition remainder (x y : number) : option number :=
  match y with Exactly y => exactly (fun x => Exact.remainder x y) x | Between _ => None end.
Lemma remainder_means x y r s : is x r -> is y s -> means (remainder x y) (modulo r s).
Proof.
  destruct y as [y|]; [|discriminate]. intros X Y.
  apply (exactly_means _ (fun r => modulo r s)); [|assumption]. intros z q Z. now apply Exact.remainder_means.
Qed.
Definition as_integer (x : number) : option Z :=
  match x with Exactly x => Exact.as_integer x | Between _ => None end.
Lemma as_integer_value x r z : is x r -> as_integer x = Some z -> r = IZR z.
Proof. destruct x; [apply Exact.as_integer_value|discriminate]. Qed.

(* Powers. *)
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
  rewrite (as_integer_value _ _ _ Y K). unfold power. rewrite Exact.Int_part_IZR. destruct k as [|p|p]; cbn [powerRZ].
  - intros H. apply some_equal in H. subst z. apply integer_is.
  - now apply natural_power_means.
  - pose proof (natural_power_means x (Pos.to_nat p) r X) as P. destruct (natural_power x (Pos.to_nat p)) as [w|];
      [|discriminate].
    cbn [then_]. intros H. replace (/ r ^ Pos.to_nat p) with (1 / r ^ Pos.to_nat p) by (unfold Rdiv; ring).
    exact (divide_means _ _ _ _ (integer_is 1) (P w eq_refl) _ H).
Qed.
