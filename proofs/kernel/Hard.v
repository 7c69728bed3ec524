(* Hard attention: which positions have the greatest score, by the cases of the kinds of positions. *)
From Weightproof Require Export Tactics.
Open Scope R_scope.

(* The kinds of a position k: either is that it has one. *)
Ltac each_kind k either next := let M := fresh "M" in pose proof either as M; repeat (destruct M as [M|M]); next M.
(* What the kind says of the place alone, or of the counts too. *)
Ltac place_facts known k M := lazymatch type of M with
  | _ = Zneg _ => all_facts known k M
  | _ = ?q => let T := fresh "token_at" in let B := fresh "within" in
      destruct (kind_is_symbol _ _ _ _ _ q ltac:(lia) M) as [B T] end
with all_facts known k M := lazymatch type of M with _ = ?q => kind_facts known (Z.of_nat k) q M end.
(* A count that is up to a later position is not smaller. *)
Ltac rising known := repeat match goal with
  | _ : context [?prefix ?a ?p], _ : context [?prefix ?a ?q] |- _ =>
      lazymatch type of known with marked_word _ _ _ _ _ prefix _ => idtac end; assert_fails (constr_eq p q);
      lazymatch goal with _ : (prefix a p <= prefix a q)%Z |- _ => fail | _ =>
        pose proof (prefix_rises _ _ _ _ _ _ _ known a p q ltac:(lia)) end end.
(* Of two scores one is greater, or the case is none. *)
Ltac linear_sign := set_apart; push; real_equations; real_bounds; lra.
Ltac compare_scores compare unfolded L M := cbv beta; unfolded (); rewrite ?L, ?M; split_brackets;
  first [solve [linear_sign] | absurd_integers | compare ()].
Ltac no_greater_score known kinds unfolded L :=
  let k := fresh "k" in intros k ?; each_kind k (kinds k ltac:(lia)) ltac:(fun M => first
    [ solve [place_facts known k M; first [absurd_integers | compare_scores ltac:(fun _ => fail) unfolded L M]]
    | all_facts known k M; compare_scores ltac:(fun _ => first [rising known; absurd_integers | solve [sign]]) unfolded L M]).
(* A position is looked for: at p, or one from lo to hi with the symbol a; where there is none, that is known. *)
Ltac position_at count p :=
  destruct (Z_lt_ge_dec p 0); [try absurd_integers|destruct (Z_lt_ge_dec p (Z.of_nat count)); [
    let k := fresh "k" in let E := fresh "place" in destruct (Z_of_nat_complete p ltac:(lia)) as [k E]; symmetry in E;
    assert (looked_at count k) by (unfold looked_at; lia)|try absurd_integers]].
Ltac position_of known count a lo hi := lazymatch type of known with marked_word _ _ _ _ _ ?prefix _ =>
  destruct (Z_lt_ge_dec (prefix a (lo - 1)%Z) (prefix a hi)); [
  destruct (Z_le_gt_dec 0 lo); [destruct (Z_le_gt_dec lo hi); [destruct (Z_lt_ge_dec hi (Z.of_nat count)); [
    let k := fresh "k" in let R := fresh "within" in let T := fresh "token_at" in
    destruct (some_position _ _ _ _ _ _ _ known a (lo - 1)%Z hi ltac:(lia) ltac:(lia)) as (k & R & T);
    assert (looked_at count k) by (unfold looked_at; lia)|]|]|]|]; try absurd_integers end.
(* A greater score is that of one of the positions found. *)
Ltac greater_score_by facts compare known kinds unfolded L := first [match goal with
  | H : looked_at ?count ?k |- _ => unfold looked_at in H; each_kind k (kinds k ltac:(lia)) ltac:(fun M =>
      facts known k M; first
      [ absurd_integers
      | solve [apply (hardmax_zero _ _ _ k H); compare_scores compare unfolded L M]
      | greater_score_by facts compare known kinds unfolded L]) end | absurd_integers].
Ltac greater_score known kinds unfolded L := first [greater_score_by place_facts ltac:(fun _ => fail) known kinds unfolded L
  | rising known; greater_score_by all_facts ltac:(fun _ => solve [sign]) known kinds unfolded L].
