(* Words of repeated blocks, by which it is shown that a margin is attained: their lengths, counts and tokens. *)
Require Import ZArith List String Lia.
From Weightproof Require Import Words Languages.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.

Definition times (block : list string) (k : Z) : list string := List.concat (List.repeat block (Z.to_nat k)).

Lemma over_times (alphabet block : list string) k : Forall (fun symbol => In symbol alphabet) block ->
  Forall (fun symbol => In symbol alphabet) (times block k).
Proof.
  intros B. unfold times. induction (Z.to_nat k) as [|m IH]; [constructor|]. cbn [List.repeat List.concat].
  apply Forall_app. split; assumption.
Qed.
Lemma over_both (alphabet left right : list string) : Forall (fun symbol => In symbol alphabet) left ->
  Forall (fun symbol => In symbol alphabet) right -> Forall (fun symbol => In symbol alphabet) (left ++ right)%list.
Proof. intros L R. apply Forall_app. split; assumption. Qed.

Lemma length_both (left right : list string) : length_of (left ++ right)%list = length_of left + length_of right.
Proof. unfold length_of. rewrite app_length. lia. Qed.
Lemma length_times block k : 0 <= k -> length_of (times block k) = k * length_of block.
Proof.
  intros K. rewrite <- (Z2Nat.id k K) at 2. unfold times. induction (Z.to_nat k) as [|m IH]; [reflexivity|].
  cbn [List.repeat List.concat]. rewrite length_both, IH. lia.
Qed.
Lemma occurrences_both symbol left right :
  occurrences symbol (left ++ right)%list = occurrences symbol left + occurrences symbol right.
Proof. unfold occurrences. rewrite count_occ_app. lia. Qed.
Lemma occurrences_times symbol block k : 0 <= k -> occurrences symbol (times block k) = k * occurrences symbol block.
Proof.
  intros K. rewrite <- (Z2Nat.id k K) at 2. unfold times. induction (Z.to_nat k) as [|m IH]; [reflexivity|].
  cbn [List.repeat List.concat]. rewrite occurrences_both, IH. lia.
Qed.

(* The token in a block of one symbol. *)
Lemma nth_times symbol k p : (p < Z.to_nat k)%nat -> nth p (times [symbol] k) "" = symbol.
Proof.
  unfold times. revert p. induction (Z.to_nat k) as [|m IH]; intros [|p] H; cbn [List.repeat List.concat List.app nth]; try lia;
    [reflexivity|apply IH; lia].
Qed.
Lemma token_in_times alphabet before symbol k behind p : 0 <= k -> length_of before <= p < length_of before + k ->
  token alphabet (before ++ times [symbol] k ++ behind)%list p = index alphabet symbol.
Proof.
  intros K P. unfold token. destruct (Z.ltb_spec p 0) as [N|_]; [unfold length_of in P; lia|]. f_equal.
  pose proof (length_times [symbol] k K) as L. unfold length_of in *. cbn [List.length] in L.
  rewrite app_nth2 by lia. rewrite app_nth1 by lia. apply nth_times. lia.
Qed.

(* In turn: the length of a word of such blocks, between markers; how often a symbol occurs in it; and a token of one of
   its blocks, between what stands before it and behind it. *)
Ltac lengths := repeat first [rewrite length_both | rewrite length_times by assumption];
  unfold length_of; cbn [List.length Z.of_nat Pos.of_succ_nat Pos.succ].
Ltac counted alphabet symbol := lazymatch goal with |- count _ ?tokens _ = _ =>
    replace (count alphabet tokens _) with (occurrences symbol tokens)
      by (rewrite (occurrences_count alphabet) by (unfold alphabet; listed); reflexivity) end;
  repeat first [rewrite occurrences_both | rewrite occurrences_times by assumption];
  repeat match goal with |- context [occurrences ?s ?l] =>
    let k := eval vm_compute in (occurrences s l) in change (occurrences s l) with k end;
  lia.
Ltac token_of_block alphabet before symbol k behind := intros P;
  lazymatch goal with |- token _ ?tokens ?p = _ =>
    replace tokens with (before ++ times [symbol] k ++ behind)%list by (rewrite ?app_assoc, ?app_nil_r; reflexivity);
    rewrite (token_in_times alphabet before symbol k behind p); [reflexivity|assumption|lengths; lia] end.
