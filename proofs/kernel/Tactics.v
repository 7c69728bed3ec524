(* How equations between closed forms are proved: by the cases of their brackets, which are about integers, and in each
   case by an identity of rational functions. *)
Require Import Nsatz.
Require Export Reals ZArith String Bool List Lra Lia.
From Weightproof Require Export Transformer Words Rules Waves.
Export ListNotations.
Open Scope string_scope.
Open Scope R_scope.

(* Remainders by numerals, and quotients, are told to lia by one fact each: Z.to_euclidean_division_equations, which is for
   all divisors, compares all hypotheses with each other. *)
Lemma divided_by x k : (x = Zpos k * (x / Zpos k) + x mod Zpos k /\ 0 <= x mod Zpos k < Zpos k)%Z.
Proof. split; [apply Z.div_mod; discriminate|apply Z.mod_pos_bound; reflexivity]. Qed.
Ltac divided x k := lazymatch goal with
  | _ : (x = Zpos k * _ + _ /\ _)%Z |- _ => fail
  | _ => pose proof (divided_by x k) end.
Ltac remainders := repeat match goal with
  | |- context [(?x mod Zpos ?k)%Z] => divided x k
  | |- context [(?x / Zpos ?k)%Z] => divided x k
  | _ : context [(?x mod Zpos ?k)%Z] |- _ => divided x k
  | _ : context [(?x / Zpos ?k)%Z] |- _ => divided x k end.
Ltac Zify.zify_post_hook ::= remainders.

(* Integers. *)
Ltac absurd_integers := exfalso; lia.
Ltac is_place p := lazymatch type of p with Z => idtac end.
Ltac is_literal k := lazymatch k with Z0 => idtac | Zpos _ => idtac | Zneg _ => idtac end.
(* Of two places, that they may be the same: two numbers are not, unless they are written alike. *)
Ltac may_be_same p q := assert_fails (constr_eq p q); assert_fails (is_literal p; is_literal q).
(* A value of a function at a place that a goal speaks of and that was not found before: each is looked at once. *)
Ltac not_among found v := lazymatch found with context [v] => fail | _ => idtac end.
Ltac next_value found := match goal with
  | |- context [?f ?a ?p] => let _ := match goal with _ => is_var f; is_place p; not_among found (f a p) end in constr:(f a p)
  | |- context [?f ?p] => let _ := match goal with _ => is_var f; is_place p; not_among found (f p) end in constr:(f p) end.
Ltac unify_with_one_of found v same := lazymatch found with (?before, ?u) => first
  [ lazymatch v with ?f ?p => lazymatch u with f ?q => may_be_same p q; replace v with u by (f_equal; same ()) end end
  | unify_with_one_of before v same ] end.
Ltac unify_those_behind found same := first
  [ let v := next_value found in first
      [ unify_with_one_of found v same; unify_those_behind found same | unify_those_behind (found, v) same ]
  | idtac ].
Ltac unify_places_by same := unify_those_behind tt same.

(* Brackets that are 0 or 1 taken out. *)
Ltac simplified := repeat first [rewrite Rmult_0_l | rewrite Rmult_1_l | rewrite Rplus_0_l | rewrite Rplus_0_r].

(* Cases of brackets. *)
Ltac split_bracket b :=
  lazymatch b with
  | (?x && ?y)%bool => first [split_bracket x | split_bracket y]
  | (?x <=? ?y)%Z => destruct (Z.leb_spec x y); try absurd_integers
  | (?x =? ?y)%Z => destruct (Z.eqb_spec x y); try absurd_integers
  end.
Ltac by_cases := repeat (match goal with |- context [bracket ?b] => split_bracket b end;
  rewrite ?andb_true_l, ?andb_false_l, ?andb_true_r, ?andb_false_r;
  change (bracket true) with 1; change (bracket false) with 0).

(* Reals. *)
Ltac push := repeat first [rewrite plus_IZR | rewrite minus_IZR | rewrite mult_IZR | rewrite opp_IZR].
Ltac push_in H :=
  repeat first [rewrite plus_IZR in H | rewrite minus_IZR in H | rewrite mult_IZR in H | rewrite opp_IZR in H].
(* Equations between integers that the cases have left, as equations between reals. *)
Ltac real_equations := repeat match goal with
  | H : @eq Z ?x ?y |- _ => apply (f_equal IZR) in H; push_in H end.
(* For each symbol of the alphabet, by its index. *)
Ltac each_below k f := lazymatch k with
  | 0%nat => idtac
  | S ?before => each_below before f; let a := eval compute in (Z.of_nat before) in f a end.
Ltac each_symbol known f := lazymatch type of known with
  | marked_word ?size _ _ _ _ _ _ => let count := eval compute in (Z.to_nat size) in each_below count f end.
Ltac added_in H := lazymatch type of H with
  | context [List.map Z.of_nat ?numbers] => let all := eval compute in (List.map Z.of_nat numbers) in
      change (List.map Z.of_nat numbers) with all in H; cbv beta iota delta [added List.map fold_right] in H end.
(* What is known of a word. *)
Ltac word_facts known :=
  pose proof (has_room _ _ _ _ _ _ _ known);
  let H := fresh "counts" in pose proof (counts_sum _ _ _ _ _ _ _ known) as H; added_in H;
  each_symbol known ltac:(fun a => pose proof (count_is_nonnegative _ _ _ _ _ _ _ known a)).
(* What is known of a position of a kind q, as K says: of its token, and of the counts up to it. *)
Ltac kind_facts known p q K := lazymatch q with
  | (-1)%Z => (* the one marker before the word *)
    let B := fresh "before" in pose proof (kind_is_before _ _ _ _ _ _ _ known _ K) as B;
    let E := fresh "place" in assert (E : p = 0%Z) by lia
  | (-2)%Z =>
    let B := fresh "behind" in pose proof (kind_is_behind _ _ _ _ _ _ _ known _ K) as B;
    lazymatch type of known with marked_word _ _ _ ?n _ _ _ =>
      let E := fresh "place" in assert (E : p = (n - 1)%Z) by lia end
  | _ =>
    let T := fresh "token_at" in let B := fresh "within" in
    destruct (kind_is_symbol _ _ _ _ _ q ltac:(lia) K) as [B T];
    let S := fresh "prefixes" in
    pose proof (prefixes_sum _ _ _ _ _ _ _ known p ltac:(lia)) as S; added_in S;
    each_symbol known ltac:(fun a =>
      let G := fresh "grown" in
      pose proof (prefix_grows_by _ _ _ _ _ _ _ known p q a ltac:(lia) T) as G; cbv beta iota delta [Z.eqb Pos.eqb] in G;
      pose proof (prefix_is_nonnegative _ _ _ _ _ _ _ known a (p - 1)%Z);
      pose proof (prefix_within _ _ _ _ _ _ _ known a p ltac:(lia)))
  end.
(* The counts before the first symbol, and up to the last one. *)
Ltac end_facts known := lazymatch type of known with
  | marked_word _ ?first ?behind ?n _ _ _ =>
    each_symbol known ltac:(fun a =>
      pose proof (prefix_begins _ _ _ _ _ _ _ known a (first - 1)%Z ltac:(lia) ltac:(lia));
      pose proof (prefix_ends _ _ _ _ _ _ _ known a (n - 1 - behind)%Z ltac:(lia) ltac:(lia)))
  end.
(* The kinds that there are. *)
Ltac kinds_of known p := lazymatch type of known with
  | marked_word _ ?first ?behind ?n ?token _ _ =>
    pose proof (token_in_range _ _ _ _ _ _ _ known (Z.of_nat p));
    destruct (kind_cases first behind n token (Z.of_nat p)) as [[-> ?]|[[-> ?]|[-> ?]]];
    [| |pose proof (token_is_symbol _ _ _ _ _ _ _ known (Z.of_nat p) ltac:(lia))]; lia
  end.
(* Counts and tokens replaced by what they are known to be. *)
Ltac settle_by same := repeat match goal with
  | |- context [Z.of_nat (S ?p)] => replace (Z.of_nat (S p)) with (Z.of_nat p + 1)%Z by lia
  | |- context [Z.of_nat (?p - 1)] => replace (Z.of_nat (p - 1)) with (Z.of_nat p - 1)%Z by lia
  | G : Z.of_nat ?p = ?v |- context [Z.of_nat ?p] =>
      lazymatch v with Z.of_nat _ => fail | context [Z.of_nat p] => fail | _ => rewrite G end
  | G : ?f ?a ?p = ?v |- context [?f ?a ?q] => is_var f; is_place p;
      assert_fails (is_literal p; is_literal q; assert_fails (constr_eq p q));
      lazymatch v with f a q => fail | _ => replace (f a q) with v by (rewrite <- G; f_equal; same ()) end
  | G : ?f ?p = ?v |- context [?f ?q] => is_var f; is_place p;
      assert_fails (is_literal p; is_literal q; assert_fails (constr_eq p q));
      replace (f q) with v by (rewrite <- G; f_equal; same ()) end.
(* At first places that are the same in any case, then those that are it in the case at hand. *)
Ltac settle := let same _ := ring in settle_by same; unify_places_by same.
Ltac settle_in_case := simplified; let same _ := lia in settle_by same; unify_places_by same.

(* Signs, of denominators. *)
Ltac real_bounds := repeat match goal with
  | H : (_ >= _)%Z |- _ => apply Z.ge_le in H
  | H : (_ > _)%Z |- _ => apply Z.gt_lt in H
  | H : ~ @eq Z ?x ?y |- _ =>
      first [assert (x + 1 <= y)%Z by lia | assert (y + 1 <= x)%Z by lia | idtac]; clear H
  | H : (?x <= ?y)%Z |- _ => apply IZR_le in H; push_in H
  | H : (?x < ?y)%Z |- _ => apply Z.le_succ_l in H; unfold Z.succ in H
  | H : (_ <= _ < _)%Z |- _ => destruct H
  | H : (_ <= _ <= _)%Z |- _ => destruct H
  end.
Ltac nonzero := real_bounds; repeat split; first [assumption | lra | apply Rgt_not_eq; nra].
(* Where a form lies at the end of what a case allows, it is that. *)
Ltac pin x k := lazymatch goal with E : x = k |- _ => fail | _ => assert (x = k) by lia end.
Ltac pinned := repeat match goal with
  | H : (?x < ?k)%Z |- _ => is_literal k; let before := eval compute in (k - 1)%Z in pin x before
  | H : (?x <= ?k)%Z |- _ => is_literal k; pin x k
  | H : (?k < ?x)%Z |- _ => is_literal k; let next := eval compute in (k + 1)%Z in pin x next
  | H : (?k <= ?x)%Z |- _ => is_literal k; pin x k end.
(* Counts that a case leaves one value. *)
Ltac one_value x := first [ replace x with 0%Z by lia | replace x with 1%Z by lia | replace x with 2%Z by lia
  | replace x with 3%Z by lia ].
Ltac counted := repeat match goal with
  | _ : marked_word _ _ _ _ _ ?prefix ?count |- context [IZR ?x] =>
      lazymatch x with prefix _ _ => idtac | count _ => idtac end; one_value x end.
(* What scales are is no equation between polynomials. The others are told last: nsatz looks at these alone, and takes
   a power for an atom. *)
Ltac polynomials := repeat match goal with H : _ = / sqrt _ |- _ => clear H end;
  repeat match goal with H : @eq R _ _ |- _ => revert H end; cbn [pow]; intros; nsatz.
(* Of two forms that lie a number apart, an atom of the first one is what that says. *)
Ltac is_integer_atom a := lazymatch a with
  | Z0 => fail | Zpos _ => fail | Zneg _ => fail
  | (_ + _)%Z => fail | (_ - _)%Z => fail | (_ * _)%Z => fail | (- _)%Z => fail | _ => idtac end.
Ltac substituted := repeat match goal with E : (?x - ?y)%Z = ?k |- context [IZR ?a] =>
  is_literal k; is_integer_atom a; lazymatch x with context [a] => idtac end;
  let S := fresh "S" in assert (S : a = (a - (x - y - k))%Z) by lia; ring_simplify (a - (x - y - k))%Z in S;
  lazymatch type of S with _ = ?t =>
    lazymatch t with context [a] => fail | _ => replace (IZR a) with (IZR t) by (f_equal; exact (eq_sym S)) end end;
  clear S; apply (difference_is x y k) in E end; push.
Ltac literals := repeat match goal with E : ?x = ?k |- context [IZR ?x] => is_literal k; rewrite E end.
(* Powers with integer exponents, as products of those of atoms: each is positive, and beyond 1 where its exponent is. *)
Ltac logarithms := repeat match goal with _ : context [ln ?x] |- _ => known_positive (ln x);
  assert (0 < ln x) by (apply logarithm_above; lra) end.
Ltac exp_beside_1 x := lazymatch goal with _ : 1 < exp x |- _ => fail | _ : exp x < 1 |- _ => fail | _ => idtac end;
  logarithms; first [assert (1 < exp x) by (rewrite <- exp_0; apply exp_increasing; lra)
    | assert (exp x < 1) by (rewrite <- exp_0; apply exp_increasing; lra)].
Ltac exps_beside_1 := repeat match goal with |- context [exp ?x] => exp_beside_1 x end.
Ltac beside_1 u := lazymatch goal with _ : 1 < u |- _ => idtac | _ : u < 1 |- _ => idtac | _ =>
  logarithms; lazymatch u with exp ?x => first [exp_beside_1 x | idtac] | _ => idtac end end.
Ltac powers := lazymatch goal with |- context [powerRZ _ _] => repeat match goal with
  | |- context [powerRZ ?u (?x - ?y)%Z] => change (x - y)%Z with (x + - y)%Z
  | |- context [powerRZ ?u (?x + ?y)%Z] => rewrite (powerRZ_add u x y) by (apply Rgt_not_eq; positive_base)
  | |- context [powerRZ ?u (- ?x)%Z] => rewrite (powerRZ_opposite u x) by (apply Rgt_not_eq; positive_base)
  | |- context [powerRZ ?u 0%Z] => change (powerRZ u 0) with 1
  | |- context [powerRZ ?u (Zpos ?k)] => let k' := eval compute in (Pos.to_nat k) in change (powerRZ u (Zpos k)) with (u ^ k')
  | |- context [powerRZ ?u (Zneg ?k)] => let k' := eval compute in (Pos.to_nat k) in change (powerRZ u (Zneg k)) with (/ u ^ k') end;
  repeat match goal with |- context [powerRZ ?u ?z] => known_positive (powerRZ u z);
    beside_1 u; assert (0 < powerRZ u z) by (apply powerRZ_lt; positive_base);
    first [assert (1 < powerRZ u z) by (apply powerRZ_above_1; [assumption|lia]) | idtac] end
  | _ => idtac end.
Ltac identity := push; powers; first [reflexivity | ring | solve [field; nonzero] | solve [pinned; literals; field; nonzero]
  | solve [counted; push; first [ring | field; nonzero]]
  | solve [rewrite !root_below by lra; field; nonzero]
  | solve [pinned; substituted; field; nonzero]
  | solve [pinned; real_equations; first [lra | field_simplify_eq; [first [lra | polynomials]|nonzero]]]].
(* What is known of other places that a goal speaks of: what holds there, and that a place that is another one holds the
   same. *)
Ltac places := repeat match goal with
  | known : marked_word ?size _ _ _ ?token _ _ |- context [?token ?q] =>
      lazymatch goal with H : (-1 <= token q < size)%Z |- _ => fail | _ =>
        pose proof (token_in_range _ _ _ _ _ _ _ known q);
        pose proof (token_is_symbol _ _ _ _ _ _ _ known q); pose proof (token_is_none _ _ _ _ _ _ _ known q) end
  | known : marked_word _ _ _ _ ?token _ _, T : ?token ?p = _ |- context [?token ?q] =>
      assert_fails (constr_eq p q);
      lazymatch goal with H : p = q -> token p = token q |- _ => fail | _ =>
        assert (p = q -> token p = token q) by (intros ->; reflexivity) end
  | known : marked_word _ _ _ _ _ ?prefix _ |- context [?prefix ?a ?q] =>
      lazymatch goal with H : (0 <= prefix a q)%Z |- _ => fail | _ =>
        pose proof (prefix_is_nonnegative _ _ _ _ _ _ _ known a q); pose proof (prefix_within _ _ _ _ _ _ _ known a q) end
  end.
(* Places that may be the same, none of which is known to hold a symbol: if they are, they hold the same. *)
Ltac same_places := match goal with
  | H : (-1 <= ?token ?p < _)%Z, G : (-1 <= ?token ?q < _)%Z |- _ =>
      assert_fails (constr_eq p q);
      lazymatch goal with
      | _ : p = q -> token p = token q |- _ => fail
      | _ : q = p -> token q = token p |- _ => fail
      | _ => assert_fails (assert (p <> q) by lia); assert (p = q -> token p = token q) by (intros ->; reflexivity) end
  end; try same_places.
(* How counts grow at the places whose tokens a goal speaks of. *)
Ltac counts_at_places := repeat match goal with
  | known : marked_word _ _ _ _ ?token ?prefix _ |- context [?token ?q] =>
      lazymatch goal with H : grown_at q |- _ => fail | _ =>
        assert (grown_at q) by exact Logic.I;
        each_symbol known ltac:(fun a =>
          pose proof (prefix_grows_cases _ _ _ _ _ _ _ known a q);
          pose proof (prefix_begins _ _ _ _ _ _ _ known a (q - 1)%Z ltac:(lia))) end end;
  repeat match goal with
  | known : marked_word _ _ _ _ _ ?prefix _, _ : grown_at ?q |- context [?prefix ?a ?p] =>
      lazymatch goal with H : p = q -> prefix a p = prefix a q |- _ => fail | _ =>
        assert (p = q -> prefix a p = prefix a q) by (intros ->; reflexivity);
        assert (p = (q - 1)%Z -> prefix a p = prefix a (q - 1)%Z) by (intros ->; reflexivity) end
  | known : marked_word _ _ _ _ _ ?prefix _, _ : grown_at ?q, _ : ?prefix ?a ?p = _ |- _ =>
      lazymatch goal with H : p = q -> prefix a p = prefix a q |- _ => fail | _ =>
        assert (p = q -> prefix a p = prefix a q) by (intros ->; reflexivity) end end;
  repeat match goal with _ : grown_at ?q, _ : grown_at ?p |- _ =>
      assert_fails (constr_eq p q);
      match goal with known : marked_word _ _ _ _ _ ?prefix _ |- _ =>
        each_symbol known ltac:(fun a => lazymatch goal with
          | H : (p - 1)%Z = q -> prefix a (p - 1)%Z = prefix a q |- _ => idtac
          | _ => assert ((p - 1)%Z = q -> prefix a (p - 1)%Z = prefix a q) by (intros ->; reflexivity) end) end;
      lazymatch goal with H : apart p q |- _ => fail | _ => assert (apart p q) by exact Logic.I end end.
(* The cases of the values of an integer from k up to below size. *)
Ltac each_value x k size T tac :=
  let k' := eval compute in (k + 1)%Z in
  lazymatch k' with
  | size => assert (T : x = k) by lia; tac k
  | _ => let N := fresh in destruct (Z.eq_dec x k) as [T|N]; [tac k|each_value x k' size T tac]
  end.
(* Brackets of numerals. *)
Ltac numerals := repeat match goal with
  | |- context [(?x =? ?y)%Z] => is_literal x; is_literal y; let b := eval compute in (x =? y)%Z in change (x =? y)%Z with b
  | |- context [(?x <=? ?y)%Z] => is_literal x; is_literal y; let b := eval compute in (x <=? y)%Z in change (x <=? y)%Z with b end;
  rewrite ?andb_true_l, ?andb_false_l, ?andb_true_r, ?andb_false_r;
  change (bracket true) with 1; change (bracket false) with 0.
(* Tokens at numbered places, by their values, with what these say of the counts there. *)
Ltac known_token known q T v := lazymatch v with
  | (-1)%Z => destruct (token_outside _ _ _ _ _ _ _ known q T); try absurd_integers
  | _ => pose proof (token_inside _ _ _ _ _ _ _ known q ltac:(rewrite T; discriminate)); try absurd_integers;
      each_symbol known ltac:(fun a =>
        let G := fresh "grown" in
        pose proof (prefix_grows_by _ _ _ _ _ _ _ known q v a ltac:(lia) T) as G;
        let before := eval compute in (q - 1)%Z in change (q - 1)%Z with before in G; cbv beta iota delta [Z.eqb Pos.eqb] in G;
        try pose proof (prefix_begins _ _ _ _ _ _ _ known a before ltac:(lia) ltac:(lia)))
  end;
  repeat match type of known with marked_word _ _ _ _ ?token _ _ => match goal with
    | U : token ?p = ?u |- _ => may_be_same p q; is_literal u; assert_fails (constr_eq u v);
        lazymatch goal with _ : p <> q |- _ => fail | _ =>
          assert (p <> q) by (let E := fresh in intros E; rewrite E, T in U; discriminate U) end end end;
  rewrite ?T.
Ltac tokens_by_value := repeat match goal with
  | known : marked_word ?size _ _ _ ?token _ _ |- context [?token ?q] => is_literal q;
      let R := fresh "range" in pose proof (token_in_range _ _ _ _ _ _ _ known q) as R;
      let T := fresh "T" in each_value (token q) (-1)%Z size T ltac:(fun v => known_token known q T v) end.
(* Counts up to places that the case makes the same. *)
Ltac counts_meet := repeat match goal with
  | known : marked_word _ _ _ _ _ ?prefix _, _ : ?prefix ?a ?p = _, _ : ?prefix ?a ?q = _ |- _ => may_be_same p q;
      lazymatch goal with _ : prefix a p = prefix a q |- _ => fail | _ : prefix a q = prefix a p |- _ => fail | _ =>
        let E := fresh in assert (E : p = q) by lia; assert (prefix a p = prefix a q) by (rewrite E; reflexivity); clear E end
  end.
Ltac several_tokens := match goal with known : marked_word _ _ _ _ ?token _ _ |- context [?token ?p] => is_literal p;
  match goal with |- context [token ?q] => is_literal q; assert_fails (constr_eq p q) end end.
(* Roots and powers of e are positive. *)
Ltac roots := repeat match goal with |- context [sqrt (IZR ?p / IZR ?q)] => match goal with |- context [sqrt (IZR ?m)] =>
  let k := eval compute in (Z.sqrt (p * q / m)) in rewrite (root_is p q m k) by lia end end;
  repeat match goal with |- context [sqrt (IZR ?p)] => match goal with |- context [sqrt (IZR ?m)] =>
  assert_fails (constr_eq p m); let k := eval compute in (Z.sqrt (p / m)) in
  rewrite (root_scaled (IZR k) (IZR m) (IZR p)) by lra end end.
Ltac positives := roots; repeat match goal with
  | |- context [sqrt (IZR ?k)] => let r := eval compute in (Z.sqrt k) in
      replace (sqrt (IZR k)) with (IZR r) by (symmetry; apply sqrt_lem_1; lra)
  | |- context [sqrt ?x] => known_positive (sqrt x);
      assert (0 < sqrt x) by (apply sqrt_lt_R0; lra); pose proof (sqrt_sqrt x ltac:(lra)) end;
  powers_positive.
(* The scales of normalised rows that a goal speaks of are positive: said anew in each file that has such. *)
Ltac known_scales := idtac.
(* So are sums of weights, which are explicit. *)
Ltac known_totals := idtac.
(* Logarithms and powers of e of the same. *)
Ltac same := f_equal; first [ring | field; nonzero].
Ltac multiples := repeat match goal with |- context [exp (IZR (Zpos ?k) * ?x)] =>
  let times := eval compute in (Pos.to_nat k) in rewrite (exp_multiple k x); change (Pos.to_nat k) with times end.
Ltac unify_functions := multiples; repeat match goal with
  | |- context [ln ?x] => match goal with |- context [ln ?y] =>
      assert_fails (constr_eq x y); replace (ln y) with (ln x) by same end
  | |- context [exp ?x] => match goal with |- context [exp ?y] =>
      assert_fails (constr_eq x y); replace (exp y) with (exp x) by same end end.
Ltac sizes := idtac.
Ltac in_each_case := by_cases; settle_in_case; known_totals; known_scales; unify_functions; powers_positive; sizes; identity.
Ltac split_brackets := positives; settle; places; by_cases; settle_in_case.
Ltac decide_equation := positives; settle; first
  [ once several_tokens; solve [tokens_by_value; numerals; by_cases; counts_meet; in_each_case]
  | places; first [solve [in_each_case] | same_places; solve [in_each_case] | counts_at_places; in_each_case] ].

(* Positions that are read. *)
Ltac position A := unfold is_first, is_last, everywhere in A.
(* What stands before a sublayer's heads, or its network. *)
Ltac after_attention := cbv beta delta [after normed update]; cbv beta iota zeta delta [norm residual computes attend_all].
Ltac after_feed := cbv beta delta [after normed update]; cbv beta iota zeta delta [norm residual computes].
(* Cosines and comparisons that stand in encodings. *)
Ltac comparisons := unfold is_at_most, is_less, is_equal, holds; repeat match goal with
  | |- context [Rle_dec ?x ?y] => destruct (Rle_dec x y)
  | |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y)
  | |- context [Req_EM_T ?x ?y] => destruct (Req_EM_T x y) end.
Ltac absurd_reals := exfalso; real_equations; real_bounds; first [lra | match goal with
  | H : ~ @eq R _ _ |- _ => apply H; lra
  | H : ~ @eq Z _ _ |- _ => apply H; apply eq_IZR; push; lra end].
(* Sums of powers of e, and a root of one: powers of powers of e are such, and products. *)
Ltac exponents := rewrite ?powerRZ_exp; cbn [pow]; push; unfold Rminus; repeat first [rewrite Rmult_1_r
  | rewrite Rmult_plus_distr_l | rewrite <- Ropp_mult_distr_r | rewrite <- exp_plus];
  repeat match goal with |- context [exp ?e] => rewrite (exp_of_0 e) by ring end;
  unify_functions; first [ring | field; nonzero].
Ltac powers_of_e := simplified; rewrite ?Rminus_0_r, ?sqrt_1; first [solve [exponents] | lazymatch goal with
  |- sqrt _ = ?d * sqrt _ => apply root_scaled; [rewrite ?powerRZ_exp; apply exp_pos|exponents] end].
Ltac encoded := integer_scalars; integer_comparisons; waves; comparisons; settle; places; by_cases;
  first [solve [identity] | solve [powers_of_e] | absurd_reals].
(* Powers of e; those of logarithms are powers of what the logarithms are of. *)
Ltac exponential := split_brackets; simplified; first [
  lazymatch goal with |- exp ?e = powerRZ ?x ?k => rewrite (exp_power e x k) by (push; first [lra | ring]); reflexivity end |
  solve [unfold Rdiv; rewrite ?powerRZ_exp; repeat first [rewrite <- exp_plus | rewrite <- exp_Ropp]; f_equal; push; ring] |
  repeat match goal with |- context [ln ?x] => lazymatch goal with _ : exp (ln x) = x |- _ => fail | _ =>
    assert (exp (ln x) = x) by (apply exp_ln; real_bounds; lra) end end;
  rewrite ?exp_plus, ?exp_Ropp, ?exp_multiple, ?exp_0; cbv beta iota delta [Pos.to_nat Pos.iter_op Init.Nat.add];
  repeat match goal with E : exp (ln ?x) = ?x |- _ => rewrite ?E; clear E end; unify_functions; identity].
(* An equation between reals that are integers. *)
Ltac integers_in E := repeat first [rewrite <- plus_IZR in E | rewrite <- minus_IZR in E | rewrite <- mult_IZR in E
  | rewrite <- opp_IZR in E]; apply eq_IZR in E.
(* Signs of sums, products and quotients, by those of their parts. *)
Ltac at_least_0 := first [assumption | match goal with
  | |- 0 <= ?x * ?x => apply Rle_0_sqr
  | |- 0 <= ?x ^ 2 => apply pow2_ge_0
  | |- 0 <= - ?x => apply Ropp_0_ge_le_contravar, Rle_ge; at_most_0
  | |- 0 <= ?x + ?y => apply Rplus_le_le_0_compat; at_least_0
  | |- 0 <= ?x * ?y + -1 => apply product_above_1; lra
  | |- 0 <= ?x * ?y => apply Rmult_le_pos; at_least_0
  | |- 0 <= ?x * ?y => replace (x * y) with ((- x) * (- y)) by ring; apply Rmult_le_pos; at_least_0
  | |- 0 <= ?x / ?y => apply quotient_at_least_0; at_least_0
  | |- 0 <= / ?x => apply Rlt_le, Rinv_0_lt_compat; above_0
  | |- 0 <= ?x ^ _ => apply pow_le; at_least_0
  | |- 0 <= exp _ => apply Rlt_le, exp_pos
  | |- 0 <= _ => lra end]
with at_most_0 := first [assumption | match goal with
  | |- - ?x <= 0 => apply Ropp_le_cancel; rewrite Ropp_0, Ropp_involutive; at_least_0
  | |- ?x * ?y <= 0 => rewrite <- (Rmult_0_r x); apply Rmult_le_compat_l; [at_least_0|at_most_0]
  | |- ?x * ?y <= 0 => rewrite <- (Rmult_0_l y); apply Rmult_le_compat_r; [at_least_0|at_most_0]
  | |- ?x / ?y <= 0 => apply quotient_below; [above_0|at_most_0]
  | |- _ <= 0 => lra end]
with above_0 := first [assumption | match goal with
  | |- 0 < ?x + ?y => first [apply Rplus_lt_le_0_compat; [solve [above_0]|solve [at_least_0]]
      | apply Rplus_le_lt_0_compat; [solve [at_least_0]|solve [above_0]]]
  | |- 0 < ?x * ?y => apply Rmult_lt_0_compat; above_0
  | |- 0 < ?x / ?y => apply Rmult_lt_0_compat; [above_0|apply Rinv_0_lt_compat; above_0]
  | |- 0 < / ?x => apply Rinv_0_lt_compat; above_0
  | |- 0 < ?x ^ _ => apply pow_lt; above_0
  | |- 0 < ?x ^ 2 => apply square_above; let E := fresh in intros E; integers_in E; lia
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < _ => lra end].
(* Integers that are not the same are 1 apart. *)
Ltac set_apart := repeat match goal with H : @eq Z ?x ?y -> False |- _ => change (x <> y) in H
  | H : ?x <> ?y |- _ => lazymatch type of x with Z =>
      first [assert (x + 1 <= y)%Z by lia | assert (y + 1 <= x)%Z by lia | idtac]; clear H end end.
(* Units, by the sign of their argument. *)
Ltac sign := set_apart; real_equations; push; real_bounds; first [lra | solve [at_least_0] | solve [at_most_0]
  | solve [above_0] | nra].
(* Those of products and quotients whose factors are sums with both signs, one factor after the other. *)
Ltac sign_by_factors := match goal with
  | |- 0 <= _ / _ => apply quotient_above; sign_by_factors
  | |- _ / _ <= 0 => apply quotient_below; sign_by_factors
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; sign_by_factors
  | |- 0 <= _ * _ => apply Rmult_le_pos; sign_by_factors
  | |- ?x * ?y <= 0 => rewrite <- (Rmult_0_l y); apply Rmult_le_compat_r; sign_by_factors
  | |- 0 < _ ^ _ => apply pow_lt; sign_by_factors
  | |- _ => first [lra | nra] end.
Ltac sign_of_factors := set_apart; real_equations; push; real_bounds; sign_by_factors.
Ltac sizes ::= repeat match goal with |- context [Rabs ?x] =>
  first [rewrite (Rabs_pos_eq x) by solve [sign] | rewrite (Rabs_left1 x) by solve [sign]] end.
Ltac ordered_powers := repeat match goal with |- context [powerRZ ?u ?x] => match goal with |- context [powerRZ u ?y] =>
  assert_fails (constr_eq x y); lazymatch goal with _ : powerRZ u x <= powerRZ u y |- _ => fail | _ =>
    assert (powerRZ u x <= powerRZ u y) by (apply powerRZ_rises; [assumption|lia]) end end end.
Ltac unit_by_cases := split_brackets; known_scales; powers; ordered_powers; exps_beside_1; sizes; by_sizes;
  match goal with
  | |- square _ = _ => unfold square; identity
  | |- relu ?x = _ => first [rewrite (relu_above x) by solve [sign] | rewrite (relu_below x) by solve [sign]
      | rewrite (relu_above x) by solve [sign_of_factors] | rewrite (relu_below x) by solve [sign_of_factors]]; identity
  | |- step ?x = _ => first [rewrite (step_above x) by solve [sign] | rewrite (step_below x) by solve [sign]]; identity
  | |- saturated_linear ?x = _ => first [rewrite (saturated_below x) by solve [sign]
      | rewrite (saturated_above x) by solve [sign] | rewrite (saturated_between x) by solve [sign]]; identity
  end.
