(* Inductions over the positions of a word: statements about all positions so far, sums and counts so far. *)
Require Import Reals ZArith List Lra Lia.
From Weightproof Require Import Transformer Words Rules Signs Deciding.
Open Scope R_scope.

Lemma over_positions (P : Z -> Prop) before last : P before ->
  (forall j, (before <= j < last)%Z -> P j -> P (j + 1)%Z) -> (before <= last)%Z -> P last.
Proof.
  intros B S L. remember (Z.to_nat (last - before)) as k eqn:K. revert last K L S. induction k as [|k IH]; intros last K L S.
  - replace last with before by lia. exact B.
  - replace last with (last - 1 + 1)%Z by lia. apply S; [lia|]. apply IH; [lia|lia|]. intros j J. apply S. lia.
Qed.

(* Whether something has held at all positions so far. *)
Definition everywhere (first : Z) (holds : Z -> Prop) (last : Z) : Prop := forall j, (first <= j <= last)%Z -> holds j.
Lemma everywhere_begins first holds last : (last < first)%Z -> everywhere first holds last.
Proof. intros L j J. lia. Qed.
Lemma everywhere_kept first holds j : everywhere first holds j -> holds (j + 1)%Z -> everywhere first holds (j + 1).
Proof.
  intros E H p P. destruct (Z.eq_dec p (j + 1)) as [->|N]; [exact H|]. apply E. lia.
Qed.
Lemma everywhere_lost first holds j : (first <= j + 1)%Z -> ~ holds (j + 1)%Z -> ~ everywhere first holds (j + 1).
Proof. intros F H E. apply H, E. lia. Qed.
Lemma everywhere_stays_lost first holds j : ~ everywhere first holds j -> ~ everywhere first holds (j + 1).
Proof. intros N E. apply N. intros p P. apply E. lia. Qed.
Lemma everywhere_decided first holds last : (forall j, holds j \/ ~ holds j) ->
  everywhere first holds last \/ ~ everywhere first holds last.
Proof.
  intros D. destruct (Z.le_gt_cases first last) as [L|L]; [|left; apply everywhere_begins; lia].
  apply (over_positions (fun last => everywhere first holds last \/ ~ everywhere first holds last) (first - 1)); [| |lia].
  - left. apply everywhere_begins. lia.
  - intros j J [E|N]; [|right; apply everywhere_stays_lost, N].
    destruct (D (j + 1)%Z); [left; apply everywhere_kept|right; apply everywhere_lost]; auto; lia.
Qed.

(* Sums and counts at the next position. *)
Lemma sum_over_next lo j f : (lo <= j + 1)%Z -> sum_over lo (j + 1) f = sum_over lo j f + f (j + 1)%Z.
Proof. intros L. rewrite sum_over_step by exact L. replace (j + 1 - 1)%Z with j by lia. reflexivity. Qed.
Lemma prefix_next size first behind n token prefix count :
  marked_word size first behind n token prefix count -> forall j a t, (0 <= j + 1)%Z -> token (j + 1)%Z = t ->
  (prefix a (j + 1) = prefix a j + if t =? a then 1 else 0)%Z.
Proof.
  intros M j a t J <-. rewrite (prefix_grows _ _ _ _ _ _ _ M a (j + 1)) by exact J.
  replace (j + 1 - 1)%Z with j by lia. reflexivity.
Qed.

(* Inverses and powers. *)
Lemma inverse_order x y : 0 < x -> x <= y -> / y <= / x.
Proof. intros X H. apply Rinv_le_contravar; assumption. Qed.
Ltac inverse_of X :=
  repeat match goal with |- context [/ ?y] => assert_fails (constr_eq y X); replace y with X by (as_reals; ring) end.
Ltac power_to Z :=
  repeat match goal with |- context [powerRZ ?b ?z] => assert_fails (constr_eq z Z); replace z with Z by lia end.
(* The product of a positive real with an integer of a known sign. *)
Ltac times_integer P L := apply IZR_le in L; apply (Rmult_le_compat_l P) in L; [in_reals L|lra].
Ltac cofactor P e :=
  let L := fresh "L" in
  first
  [ assert (L : (e = 0)%Z) by lia; apply (f_equal IZR) in L; apply (f_equal (Rmult P)) in L; in_reals L
  | assert (L : (e = 1)%Z) by lia; apply (f_equal IZR) in L; apply (f_equal (Rmult P)) in L; in_reals L
  | assert (L : (1 <= e)%Z) by lia; times_integer P L
  | assert (L : (e <= -1)%Z) by lia; times_integer P L
  | assert (L : (0 <= e)%Z) by lia; times_integer P L
  | assert (L : (e <= 0)%Z) by lia; times_integer P L
  | idtac ].
Lemma signed_product x s : 0 < x -> (0 <= s /\ 0 <= x * s) \/ (s <= 0 /\ x * s <= 0).
Proof.
  intros X. destruct (Rle_lt_dec 0 s) as [S|S]; [left|right; apply Rlt_le in S].
  - split; [exact S|]. apply Rmult_le_pos; lra.
  - split; [exact S|]. pose proof (Rmult_le_pos x (- s) ltac:(lra) ltac:(lra)). lra.
Qed.
(* What is 0 or more, where it is, times what is positive. *)
Ltac scaled X e :=
  try (let L := fresh "L" in
    assert (L : 0 <= X * (e)) by (apply Rmult_le_pos; [solve [nonnegative]|lra]); unfold Rdiv in L).
Lemma powerRZ_next u z y : 0 < u -> (y = z + 1)%Z -> powerRZ u y = u * powerRZ u z.
Proof. intros U ->. apply powerRZ_succeeds, U. Qed.
(* What has held so far, at the next position. *)
Ltac next_holds first holds decided j :=
  let E := fresh "E" in let H := fresh "H" in
  destruct (everywhere_decided first holds j decided) as [E|E];
  [ destruct (decided (j + 1)%Z) as [H|H];
    [ pose proof (everywhere_kept _ _ _ E H) | pose proof (everywhere_lost first holds j ltac:(lia) H) ]; revert H
  | pose proof (everywhere_stays_lost _ _ _ E) ].
Ltac place_to f Z :=
  repeat match goal with |- context [f ?z] => assert_fails (constr_eq z Z); replace z with Z by lia end.
(* A sum that is known to be 0. *)
Ltac sum_known S :=
  try match goal with H : S = 0 |- _ => rewrite H | H : 0 = S |- _ => rewrite <- H end.
