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

(* What grows as a statement about all positions does is that statement. *)
Lemma everywhere_is first last (holds upto : Z -> Prop) : upto (first - 1)%Z ->
  (forall j, (first - 1 <= j < last)%Z -> (upto (j + 1)%Z <-> upto j /\ holds (j + 1)%Z)) ->
  forall m, (first - 1 <= m <= last)%Z -> (everywhere first holds m <-> upto m).
Proof.
  intros B S m M. apply (over_positions (fun m => everywhere first holds m <-> upto m) (first - 1)); [| |lia].
  - split; [intros _; exact B|]. intros _. apply everywhere_begins. lia.
  - intros j J IH. rewrite (S j) by lia. rewrite <- IH. split.
    + intros E. split; [intros p P|]; apply E; lia.
    + intros [E H]. apply everywhere_kept; assumption.
Qed.
Lemma somewhere_is first last (holds fails : Z -> Prop) (whole : Prop) : (forall j, holds j \/ ~ holds j) ->
  (forall j, fails j <-> ~ holds j) -> (first - 1 <= last)%Z -> (everywhere first holds last <-> whole) ->
  (exists j, (first <= j <= last)%Z /\ fails j) <-> ~ whole.
Proof.
  intros D N L W. rewrite <- W. split; [intros (j & J & F) E; apply (N j); auto|]. intros F.
  enough (C : everywhere first holds last \/ exists j, (first <= j <= last)%Z /\ fails j) by tauto.
  apply (over_positions (fun last => everywhere first holds last \/ exists j, (first <= j <= last)%Z /\ fails j) (first - 1));
    [left; apply everywhere_begins; lia| |exact L].
  intros j J [E|(p & P & G)]; [|right; exists p; split; [lia|exact G]].
  destruct (D (j + 1)%Z) as [H|H]; [left; apply everywhere_kept; assumption|].
  right. exists (j + 1)%Z. split; [lia|apply N, H].
Qed.
(* A formula is the same with what was put in the place of statements about all positions. *)
Lemma everywhere_same (D P Q : Z -> Prop) : (forall j, D j -> (P j <-> Q j)) -> ((forall j, D j -> P j) <-> (forall j, D j -> Q j)).
Proof. intros H. split; intros G j J; apply (H j J), G, J. Qed.
Lemma somewhere_same (D P Q : Z -> Prop) : (forall j, D j -> (P j <-> Q j)) ->
  ((exists j, D j /\ P j) <-> (exists j, D j /\ Q j)).
Proof. intros H. split; intros (j & J & G); exists j; (split; [exact J|apply (H j J), G]). Qed.
Ltac same_counted known := first
  [ exact (iff_refl _)
  | known ()
  | lazymatch goal with
    | |- (_ /\ _) <-> (_ /\ _) => apply Morphisms_Prop.and_iff_morphism
    | |- (_ \/ _) <-> (_ \/ _) => apply Morphisms_Prop.or_iff_morphism
    | |- (~ _) <-> (~ _) => apply not_iff_compat
    | |- (forall j, _ -> _) <-> (forall k, _ -> _) => apply everywhere_same; intros ? ?
    | |- (exists j, _ /\ _) <-> (exists k, _ /\ _) => apply somewhere_same; intros ? ?
    end; same_counted known
  | eapply iff_trans; [|known ()]; same_counted known ].
(* A count up to a place, beside that up to m, and one further. *)
Ltac beside known f a q m :=
  let L := fresh "L" in
  destruct (Z.lt_trichotomy (m + 1)%Z q) as [L|[L|L]];
  [ pose proof (prefix_rises _ _ _ _ _ _ _ known a (m + 1)%Z q ltac:(lia))
  | assert (f a q = f a (m + 1))%Z by (rewrite L; reflexivity)
  | try pose proof (prefix_rises _ _ _ _ _ _ _ known a q m ltac:(lia)) ].

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
