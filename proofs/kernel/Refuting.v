(* What a statement says of one word, with values of the parameters, decided by computing: the sign of an output,
   numbers, and formulas about the word, in which every position is gone through. *)
Require Import Reals ZArith List String Bool Lra Lia.
From Weightproof Require Import Transformer Words Languages Sums Bounds Numbers Evaluation.
Import ListNotations.
Open Scope string_scope.
Open Scope R_scope.

(* Signs. *)
Lemma sign_of_known x r c : means x r -> then_ x sign = Some c -> has_sign c r.
Proof. intros X. destruct x as [x|]; [|discriminate]. apply sign_is. now apply X. Qed.
Definition difference_sign (x y : scalar) : option comparison :=
  then_ (minus (compute (integer 0) (integer 0) x) (compute (integer 0) (integer 0) y)) sign.
Lemma difference_has_sign x y c :
  difference_sign x y = Some c -> has_sign c (denoted 0 0 x - denoted 0 0 y).
Proof. apply sign_of_known, minus_means; apply compute_means; apply integer_is. Qed.
Definition excess_sign (net : written) (tokens : list string) (name : string) (y : scalar) : option comparison :=
  then_ (minus (compute_output net tokens name) (compute (integer 0) (integer 0) y)) sign.
Theorem excess_has_sign (N : network) net : N = encoder_of net -> forall tokens name y c,
  excess_sign net tokens name y = Some c -> has_sign c (output N tokens name - denoted 0 0 y).
Proof.
  intros -> tokens name y c. apply sign_of_known, minus_means; [apply compute_output_means|].
  apply compute_means; apply integer_is.
Qed.

(* Formulas about all positions: each place in the word is looked at. *)
Open Scope Z_scope.
Definition places (tokens : list string) : list Z := List.map Z.of_nat (seq 0 (List.length tokens)).
Lemma index_place tokens j : is_index tokens j -> In j (places tokens).
Proof.
  unfold is_index, length_of, places. intros H. apply in_map_iff. exists (Z.to_nat j).
  split; [lia|]. apply in_seq. lia.
Qed.
Lemma position_place alphabet tokens j : ~ In "" alphabet -> is_position alphabet tokens j -> In j (places tokens).
Proof.
  intros N H. apply index_place. unfold is_position, symbol_at in H. cbv zeta in H. unfold is_index, length_of.
  destruct (Z.ltb_spec j 0) as [L|L]; [destruct (in_dec string_dec "" alphabet); contradiction|].
  destruct (Nat.ltb_spec (Z.to_nat j) (List.length tokens)) as [I|I]; [lia|].
  rewrite nth_overflow in H by exact I. destruct (in_dec string_dec "" alphabet); contradiction.
Qed.
Lemma at_each (D P : Z -> Prop) l : (forall j, D j -> In j l) -> Forall (fun j => ~ D j \/ P j) l ->
  forall j, D j -> P j.
Proof. intros I F j J. rewrite Forall_forall in F. destruct (F j (I j J)); [contradiction|assumption]. Qed.
Lemma not_at_each (D P : Z -> Prop) l : Exists (fun j => D j /\ ~ P j) l -> ~ (forall j, D j -> P j).
Proof. intros E H. apply Exists_exists in E. destruct E as (j & _ & J & N). auto. Qed.
Lemma at_some (D P : Z -> Prop) l : Exists (fun j => D j /\ P j) l -> exists j, D j /\ P j.
Proof. intros E. apply Exists_exists in E. destruct E as (j & _ & H). eauto. Qed.
Lemma not_at_some (D P : Z -> Prop) l :
  (forall j, D j -> In j l) -> Forall (fun j => ~ D j \/ ~ P j) l -> ~ (exists j, D j /\ P j).
Proof. intros I F (j & J & H). rewrite Forall_forall in F. destruct (F j (I j J)); contradiction. Qed.

(* A formula without variables, or its negation: real numbers are compared by the sign of their difference, and all else
   is computed. Of an output of a network N, which stands on the left, by [N = encoder_of net], which is known. *)
Lemma not_both_left A B : ~ A -> ~ (A /\ B).
Proof. tauto. Qed.
Lemma not_both_right A B : ~ B -> ~ (A /\ B).
Proof. tauto. Qed.
Lemma not_either A B : ~ A -> ~ B -> ~ (A \/ B).
Proof. tauto. Qed.
Lemma not_implied (A B : Prop) : A -> ~ B -> ~ (A -> B).
Proof. tauto. Qed.
Lemma not_implied_backwards (A B : Prop) : ~ B -> A -> ~ (A -> B).
Proof. tauto. Qed.
Lemma not_not (A : Prop) : A -> ~ ~ A.
Proof. tauto. Qed.
Ltac by_difference x y :=
  let H := fresh in
  let b := read_scalar tt tt y in
  lazymatch x with
  | output ?N ?tokens ?name =>
      lazymatch goal with
      | reads : N = encoder_of ?net |- _ =>
          let told := eval vm_compute in (excess_sign net tokens name b) in
          lazymatch told with
          | Some ?c =>
              assert (H : has_sign c (x - y)%R)
                by (refine (excess_has_sign N net reads tokens name b c _); vm_cast_no_check (eq_refl (Some c)))
          end
      end
  | _ =>
      let a := read_scalar tt tt x in
      let told := eval vm_compute in (difference_sign a b) in
      lazymatch told with
      | Some ?c =>
          assert (H : has_sign c (x - y)%R)
            by (refine (difference_has_sign a b c _); vm_cast_no_check (eq_refl (Some c)))
      end
  end;
  cbn [has_sign] in H; lra.
Ltac by_number :=
  vm_compute;
  first [reflexivity | let H := fresh in intros H; first [exact H | discriminate H | exact (H eq_refl)]].
Ltac by_formula :=
  lazymatch goal with
  | |- _ /\ _ => split; by_formula
  | |- ~ (_ /\ _) => first [apply not_both_left; by_formula | apply not_both_right; by_formula]
  | |- _ \/ _ => first [left; by_formula | right; by_formula]
  | |- ~ (_ \/ _) => apply not_either; by_formula
  | |- ~ ~ _ => apply not_not; by_formula
  | |- ~ (_ <-> _) => unfold iff; by_formula
  | |- forall j, is_position _ ?tokens j -> _ => apply (at_each _ _ (places tokens)); [in_place|by_places]
  | |- forall j, is_index ?tokens j -> _ => apply (at_each _ _ (places tokens)); [in_place|by_places]
  | |- ~ (forall j, is_position _ ?tokens j -> _) => apply (not_at_each _ _ (places tokens)); by_places
  | |- ~ (forall j, is_index ?tokens j -> _) => apply (not_at_each _ _ (places tokens)); by_places
  | |- exists j, is_position _ ?tokens j /\ _ => apply (at_some _ _ (places tokens)); by_places
  | |- exists j, is_index ?tokens j /\ _ => apply (at_some _ _ (places tokens)); by_places
  | |- ~ (exists j, is_position _ ?tokens j /\ _) => apply (not_at_some _ _ (places tokens)); [in_place|by_places]
  | |- ~ (exists j, is_index ?tokens j /\ _) => apply (not_at_some _ _ (places tokens)); [in_place|by_places]
  | |- ~ (?P -> ?Q) => (* outputs are computed last *)
      lazymatch P with context [output _ _ _] => apply not_implied_backwards | _ => apply not_implied end; by_formula
  | |- Forall _ (_ :: _) => apply Forall_cons; [cbv beta; by_formula|by_formula]
  | |- Forall _ [] => apply Forall_nil
  | |- context [is_position _ _ _] => unfold is_position; by_formula
  | |- context [is_index _ _] => unfold is_index; by_formula
  | |- context [In ?x ?alphabet] =>
      let symbols := eval hnf in alphabet in change (In x alphabet) with (In x symbols); cbn [In]; by_formula
  | |- (?x < ?y)%R => by_difference x y
  | |- (?x <= ?y)%R => by_difference x y
  | |- (?x > ?y)%R => by_difference x y
  | |- (?x >= ?y)%R => by_difference x y
  | |- @eq R ?x ?y => by_difference x y
  | |- ~ (?x < ?y)%R => by_difference x y
  | |- ~ (?x <= ?y)%R => by_difference x y
  | |- ~ (?x > ?y)%R => by_difference x y
  | |- ~ (?x >= ?y)%R => by_difference x y
  | |- ~ @eq R ?x ?y => by_difference x y
  | |- context [output _ _ _] => fail
  | |- context [has_value _ _] => fail
  | |- _ => by_number
  end
with in_place :=
  intros ? ?; first [apply index_place; assumption | eapply position_place; [|eassumption]; by_formula]
with by_places :=
  lazymatch goal with
  | |- context [places ?tokens] => let l := eval vm_compute in (places tokens) in change (places tokens) with l
  end;
  each_place
with each_place :=
  lazymatch goal with
  | |- Forall _ _ => by_formula
  | |- Exists _ _ => first [apply Exists_cons_hd; cbv beta; by_formula | apply Exists_cons_tl; each_place]
  end.
(* What is asked before anything is said: domains, words, hypotheses. *)
Ltac granted said :=
  lazymatch type of said with
  | ?P -> ?Q => let H := fresh in assert (H : P) by by_formula; specialize (said H); clear H; granted said
  | _ => idtac
  end.
(* What is said then is to be false. *)
Ltac denied said := let P := type of said in refine ((_ : ~ P) said); clear said.
