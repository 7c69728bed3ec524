(* The rules of the derivation, as lemmas: closed forms may be put in place of streams, sums telescope, means are
   quotients, units are resolved by cases. *)
Require Import Reals ZArith List String Bool Lra Lia.
From Weightproof Require Import Transformer.
Import ListNotations.
Open Scope string_scope.
Open Scope R_scope.

Definition real (k : nat) : R := IZR (Z.of_nat k).
Definition bracket (b : bool) : R := if b then 1 else 0.

(* Sums. *)
Lemma sum_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> sum n f = sum n g.
Proof. induction n; intros H; cbn [sum]; [reflexivity|]. rewrite IHn, H; auto. Qed.
Lemma sum_zero n f : (forall j, (j < n)%nat -> f j = 0) -> sum n f = 0.
Proof. induction n; intros H; cbn [sum]; [reflexivity|]. rewrite IHn, H by auto. lra. Qed.
Lemma sum_nonnegative n f : (forall j, (j < n)%nat -> 0 <= f j) -> 0 <= sum n f.
Proof. induction n; intros H; cbn [sum]; [lra|]. assert (0 <= f n) by auto. assert (0 <= sum n f) by auto. lra. Qed.
Lemma sum_positive n f : (0 < n)%nat -> (forall j, (j < n)%nat -> 0 < f j) -> 0 < sum n f.
Proof.
  induction n as [|n IH]; intros N H; [lia|]. cbn [sum]. assert (0 < f n) by (apply H; lia).
  destruct n; [cbn [sum]; lra|]. assert (0 < sum (S n) f) by (apply IH; [lia|intros; apply H; lia]). lra.
Qed.
(* A function of the number of summands that begins as the sum does, and grows by each summand, is the sum. *)
Lemma telescopes (b e : nat) (f : nat -> R) (F : Z -> R) : (b <= e)%nat -> sum b f = F (Z.of_nat b) ->
  (forall j, (b <= j < e)%nat -> F (Z.of_nat j + 1)%Z = F (Z.of_nat j) + f j) -> sum e f = F (Z.of_nat e).
Proof.
  intros H B E. induction H as [|e H IH]; [exact B|]. cbn [sum]. rewrite IH by (intros; apply E; lia).
  rewrite Nat2Z.inj_succ, <- E by lia. f_equal.
Qed.
Lemma sum_last n f : (0 < n)%nat -> sum n f = sum (n - 1) f + f (n - 1)%nat.
Proof. destruct n as [|n]; [lia|]. intros _. replace (S n - 1)%nat with n by lia. reflexivity. Qed.

(* An explicit sum: over the positions from lo to hi, none where hi is below lo. *)
Definition sum_over (lo hi : Z) (f : Z -> R) : R := sum (Z.to_nat (hi - lo + 1)) (fun j => f (lo + Z.of_nat j)%Z).
Lemma sum_over_none lo hi f : (hi < lo)%Z -> sum_over lo hi f = 0.
Proof. intros H. unfold sum_over. replace (Z.to_nat (hi - lo + 1)) with O by lia. reflexivity. Qed.
Lemma sum_over_step lo hi f : (lo <= hi)%Z -> sum_over lo hi f = sum_over lo (hi - 1) f + f hi.
Proof.
  intros H. unfold sum_over. replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - 1 - lo + 1))) by lia.
  cbn [sum]. do 2 f_equal. lia.
Qed.
Lemma sum_over_ext lo hi f g : (forall j, (lo <= j <= hi)%Z -> f j = g j) -> sum_over lo hi f = sum_over lo hi g.
Proof. intros H. unfold sum_over. apply sum_ext. intros j J. apply H. lia. Qed.
Lemma sum_over_zero lo hi f : (forall j, (lo <= j <= hi)%Z -> f j = 0) -> sum_over lo hi f = 0.
Proof. intros H. unfold sum_over. apply sum_zero. intros j J. apply H. lia. Qed.
Lemma sum_over_at lo hi f : sum_over lo hi f = sum_over lo (hi - 1) f + bracket (lo <=? hi)%Z * f hi.
Proof.
  destruct (Z.leb_spec lo hi) as [H|H]; cbn [bracket]; [rewrite sum_over_step by exact H; ring|].
  rewrite !sum_over_none by lia. ring.
Qed.
Lemma sum_over_grows lo f : exists T : Z -> R, (forall p, T p = sum_over lo p f) /\
  (forall p, (p < lo)%Z -> T p = 0) /\ (forall p, (lo <= p)%Z -> T p = T (p - 1)%Z + f p) /\
  (forall p, T p = T (p - 1)%Z + bracket (lo <=? p)%Z * f p).
Proof.
  exists (fun p => sum_over lo p f). split; [reflexivity|].
  repeat split; intros; [apply sum_over_none|apply sum_over_step|apply sum_over_at]; assumption.
Qed.
Lemma sum_over_scale lo hi c f : sum_over lo hi (fun j => c * f j) = c * sum_over lo hi f.
Proof. unfold sum_over. induction (Z.to_nat _) as [|k IH]; cbn [sum]; [ring|]. rewrite IH. ring. Qed.
Lemma sum_over_add lo hi f g : sum_over lo hi (fun j => f j + g j) = sum_over lo hi f + sum_over lo hi g.
Proof. unfold sum_over. induction (Z.to_nat _) as [|k IH]; cbn [sum]; [ring|]. rewrite IH. ring. Qed.
Lemma sum_first k f : sum (S k) f = f O + sum k (fun j => f (S j)).
Proof. induction k as [|k IH]; [cbn; ring|]. cbn [sum] in *. rewrite IH. ring. Qed.
Lemma sum_reverse k : forall f, sum k f = sum k (fun j => f (k - 1 - j)%nat).
Proof.
  induction k as [|k IH]; intros f; [reflexivity|]. rewrite sum_first, (IH (fun j => f (S j))). cbn [sum].
  rewrite Rplus_comm. f_equal; [|f_equal; lia]. apply sum_ext. intros j J. f_equal. lia.
Qed.
Lemma sum_over_reverse lo hi f : sum_over lo hi f = sum_over lo hi (fun j => f (lo + hi - j)%Z).
Proof. unfold sum_over. rewrite sum_reverse. apply sum_ext. intros j J. f_equal. lia. Qed.

(* Attention: its mean is a quotient of two sums; the weights of softmax are powers of e. *)
Lemma mean_is count by_weight values Z N :
  sum count by_weight = Z -> sum count (fun j => by_weight j * values j) = N -> mean count by_weight values = N / Z.
Proof. intros <- <-. reflexivity. Qed.
Lemma weight_ext kind count s s' j : (j < count)%nat -> (forall j, (j < count)%nat -> s j = s' j) ->
  weight kind count s j = weight kind count s' j.
Proof.
  intros J H. unfold weight. rewrite (H j J). destruct kind; [reflexivity|]. f_equal.
  clear J. induction count as [|count IH]; [reflexivity|]. cbn [maximum].
  rewrite (H count) by lia. destruct count; [apply H; lia|]. rewrite IH by (intros; apply H; lia). reflexivity.
Qed.
(* Hard attention: a score that none exceeds, and that some position has, is the greatest. *)
Lemma maximum_bounds count s M : (forall j, (j < count)%nat -> s j <= M) -> (0 < count)%nat -> maximum count s <= M.
Proof.
  induction count as [|count IH]; intros H P; [lia|]. cbn [maximum]. destruct count; [apply H; lia|].
  apply Rmax_lub; [apply IH; intros; [apply H|]; lia|apply H; lia].
Qed.
Lemma maximum_reached count s j : (j < count)%nat -> s j <= maximum count s.
Proof.
  induction count as [|count IH]; intros J; [lia|]. cbn [maximum]. destruct count; [replace j with 0%nat by lia; lra|].
  destruct (Nat.eq_dec j (S count)) as [->|E]; [apply Rmax_r|].
  apply Rle_trans with (maximum (S count) s); [apply IH; lia|apply Rmax_l].
Qed.
Lemma maximum_is count s M k : (k < count)%nat -> s k = M -> (forall j, (j < count)%nat -> s j <= M) ->
  maximum count s = M.
Proof.
  intros K E H. apply Rle_antisym; [apply maximum_bounds; [exact H|lia]|]. rewrite <- E. apply maximum_reached, K.
Qed.

Definition looked_at (count k : nat) : Prop := (k < count)%nat.
Lemma hardmax_one count s j : (j < count)%nat -> (forall k, (k < count)%nat -> s k <= s j) ->
  weight Hardmax count s j = 1.
Proof.
  intros J H. unfold weight, is_at_most, holds. destruct (Rle_dec _ _) as [_|N]; [reflexivity|].
  elim N. apply maximum_bounds; [exact H|lia].
Qed.
Lemma hardmax_zero count s j k : (k < count)%nat -> s j < s k -> weight Hardmax count s j = 0.
Proof.
  intros K H. unfold weight, is_at_most, holds. destruct (Rle_dec _ _) as [L|_]; [|reflexivity].
  pose proof (maximum_reached count s k K). lra.
Qed.

(* Units of feed-forward networks, by cases. *)
Lemma relu_above x : 0 <= x -> relu x = x.
Proof. intros. unfold relu. apply Rmax_right. lra. Qed.
Lemma relu_below x : x <= 0 -> relu x = 0.
Proof. intros. unfold relu. apply Rmax_left. lra. Qed.
Lemma step_above x : 0 < x -> step x = 1.
Proof. intros. unfold step, is_less, holds. destruct (Rlt_dec 0 x); [reflexivity|lra]. Qed.
Lemma step_below x : x <= 0 -> step x = 0.
Proof. intros. unfold step, is_less, holds. destruct (Rlt_dec 0 x); [lra|reflexivity]. Qed.
Lemma saturated_below x : x <= 0 -> saturated_linear x = 0.
Proof. intros. unfold saturated_linear. rewrite Rmax_left by lra. apply Rmin_right. lra. Qed.
Lemma saturated_between x : 0 <= x -> x <= 1 -> saturated_linear x = x.
Proof. intros. unfold saturated_linear. rewrite Rmax_right by lra. apply Rmin_right. lra. Qed.
Lemma saturated_above x : 1 <= x -> saturated_linear x = 1.
Proof. intros. unfold saturated_linear. rewrite Rmax_right by lra. apply Rmin_left. lra. Qed.
Lemma quotient_above x y : 0 < y -> 0 <= x -> 0 <= x / y.
Proof. intros Y X. apply Rmult_le_pos; [exact X|]. left. apply Rinv_0_lt_compat, Y. Qed.
Lemma quotient_at_least_0 x y : 0 <= x -> 0 <= y -> 0 <= x / y.
Proof.
  intros X [Y|<-]; [apply quotient_above; assumption|]. unfold Rdiv. rewrite Rinv_0, Rmult_0_r. apply Rle_refl.
Qed.
Lemma quotient_below x y : 0 < y -> x <= 0 -> x / y <= 0.
Proof.
  intros Y X. pose proof (quotient_above (- x) y Y ltac:(lra)). unfold Rdiv in *. rewrite Ropp_mult_distr_l_reverse in *. lra.
Qed.
Lemma product_above_1 x y : 1 <= x -> 1 <= y -> 0 <= x * y + -1.
Proof. intros X Y. nra. Qed.
Lemma square_above x : x <> 0 -> 0 < x ^ 2.
Proof. intros X. rewrite <- Rsqr_pow2. apply Rlt_0_sqr, X. Qed.
Lemma root_below a x : 0 < x -> a / sqrt x = a * (sqrt x / x).
Proof.
  intros X. pose proof (sqrt_lt_R0 x X). rewrite <- (sqrt_sqrt x) at 3 by lra. field. lra.
Qed.
Lemma root_is p q m k : (0 < q)%Z -> (0 <= m)%Z -> (0 <= k)%Z -> (p * q = k * k * m)%Z ->
  sqrt (IZR p / IZR q) = IZR k / IZR q * sqrt (IZR m).
Proof.
  intros Q M K E. apply IZR_lt in Q. apply IZR_le in M, K. apply (f_equal IZR) in E. rewrite !mult_IZR in E.
  replace (IZR p / IZR q) with ((IZR k / IZR q) * (IZR k / IZR q) * IZR m).
  - rewrite sqrt_mult; [|apply Rle_0_sqr|exact M]. rewrite sqrt_square by (apply quotient_above; assumption). reflexivity.
  - apply (Rmult_eq_reg_r (IZR q * IZR q)); [|nra]. transitivity (IZR p * IZR q); [|field; lra]. rewrite E. field. lra.
Qed.
Lemma root_scaled d y x : 0 < d -> x = d * d * y -> sqrt x = d * sqrt y.
Proof. intros D ->. rewrite sqrt_mult_alt by nra. rewrite sqrt_square by lra. reflexivity. Qed.

(* Comparisons and cosines that stand in weights, at integers. *)
Lemma is_equal_integers q x y a b : 0 < q -> q * x = IZR a -> q * y = IZR b -> is_equal x y = bracket (a =? b)%Z.
Proof.
  intros Q X Y. unfold is_equal, holds, bracket. destruct (Req_EM_T x y) as [E|E], (Z.eqb_spec a b) as [G|G]; auto.
  - elim G. apply eq_IZR. rewrite <- X, <- Y, E. reflexivity.
  - elim E. apply (Rmult_eq_reg_l q); [|lra]. rewrite X, Y, G. reflexivity.
Qed.
Lemma is_at_most_integers q x y a b : 0 < q -> q * x = IZR a -> q * y = IZR b -> is_at_most x y = bracket (a <=? b)%Z.
Proof.
  intros Q X Y. unfold is_at_most, holds, bracket. destruct (Rle_dec x y) as [E|E], (Z.leb_spec a b) as [G|G]; auto.
  - assert (H : IZR a <= IZR b) by (rewrite <- X, <- Y; apply Rmult_le_compat_l; lra). apply le_IZR in H. lia.
  - elim E. apply (Rmult_le_reg_l q); [exact Q|]. rewrite X, Y. apply IZR_le, G.
Qed.
Lemma is_less_integers q x y a b : 0 < q -> q * x = IZR a -> q * y = IZR b -> is_less x y = bracket (a + 1 <=? b)%Z.
Proof.
  intros Q X Y. unfold is_less, holds, bracket. destruct (Rlt_dec x y) as [E|E], (Z.leb_spec (a + 1) b) as [G|G]; auto.
  - assert (H : IZR a < IZR b) by (rewrite <- X, <- Y; apply Rmult_lt_compat_l; lra). apply lt_IZR in H. lia.
  - elim E. apply (Rmult_lt_reg_l q); [exact Q|]. rewrite X, Y. apply IZR_lt. lia.
Qed.
Lemma Int_part_integer a : Int_part (IZR a) = a.
Proof.
  destruct (base_Int_part (IZR a)) as [L U]. apply le_IZR in L.
  assert (G : IZR (a - 1) < IZR (Int_part (IZR a))) by (rewrite minus_IZR; lra). apply lt_IZR in G. lia.
Qed.
Lemma cos_integer a : cos (PI * IZR a) = bracket (a mod 2 =? 0)%Z - bracket (a mod 2 =? 1)%Z.
Proof.
  assert (E : forall k, cos (PI * IZR (2 * k)) = 1).
  { intros k. rewrite mult_IZR. replace (PI * (2 * IZR k)) with (2 * IZR k * PI + 0) by ring.
    assert (G : forall m : nat, cos (2 * IZR (Z.of_nat m) * PI + 0) = 1).
    { intros m. rewrite <- INR_IZR_INZ. rewrite Rplus_comm, cos_period, cos_0. reflexivity. }
    destruct (Z.le_gt_cases 0 k) as [K|K].
    - rewrite <- (Z2Nat.id k K). apply G.
    - rewrite <- (cos_neg (_ + 0)). rewrite <- (G (Z.to_nat (- k))). f_equal. rewrite Z2Nat.id by lia.
      rewrite opp_IZR. ring. }
  unfold bracket. pose proof (Z.div_mod a 2 ltac:(lia)) as D. pose proof (Z.mod_pos_bound a 2 ltac:(lia)).
  assert (C : (a mod 2 = 0 \/ a mod 2 = 1)%Z) by lia. destruct C as [C|C]; rewrite C in *; cbn [Z.eqb].
  - replace a with (2 * (a / 2))%Z at 1 by lia. rewrite E. lra.
  - replace a with (2 * (a / 2) + 1)%Z at 1 by lia.
    rewrite plus_IZR, Rmult_plus_distr_l, Rmult_1_r, neg_cos, E. cbn. lra.
Qed.

(* A stream given by the closed forms of each kind of position. *)
Definition closed (kind : Z -> Z) (X : Z -> Z -> sparse) : stream := fun i => entry (X (kind (Z.of_nat i)) (Z.of_nat i)).
Lemma attend_absent h n x i name : (forall j, (j < n)%nat -> value h (x j) name = 0) -> (i < n)%nat ->
  attend h n x i name = 0.
Proof.
  intros H I. unfold attend, mean. cbv zeta. rewrite sum_zero; [unfold Rdiv; ring|].
  intros j J. rewrite H; [ring|]. destruct (masked h); cbn in J; lia.
Qed.
Lemma exp_multiple (k : positive) x : exp (IZR (Zpos k) * x) = exp x ^ Pos.to_nat k.
Proof.
  rewrite <- (positive_nat_Z k), <- INR_IZR_INZ. induction (Pos.to_nat k) as [|m IH].
  - cbn. rewrite Rmult_0_l. apply exp_0.
  - rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. cbn. ring.
Qed.
Lemma powerRZ_above_1 u z : 1 < u -> (0 < z)%Z -> 1 < powerRZ u z.
Proof. intros U Z. rewrite <- (Z2Nat.id z) by lia. rewrite <- pow_powerRZ. apply Rlt_pow_R1; [exact U|lia]. Qed.
Lemma powerRZ_rises u x y : 1 < u -> (x <= y)%Z -> powerRZ u x <= powerRZ u y.
Proof.
  intros U L. replace y with (x + (y - x))%Z by lia. rewrite powerRZ_add by lra.
  assert (0 < powerRZ u x) by (apply powerRZ_lt; lra).
  destruct (Z.eq_dec x y) as [->|N]; [rewrite Z.sub_diag, powerRZ_O; lra|].
  pose proof (powerRZ_above_1 u (y - x) U ltac:(lia)). nra.
Qed.
Lemma logarithm_above x : 1 < x -> 0 < ln x.
Proof. intros X. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma logarithm_below x : 0 < x -> x < 1 -> 0 < - ln x.
Proof. intros P X. pose proof (ln_increasing x 1 P X). rewrite ln_1 in *. lra. Qed.
Lemma exp_of_0 e : e = 0 -> exp e = 1.
Proof. intros ->. apply exp_0. Qed.
Lemma exp_power e x k : 0 < x -> e = IZR k * ln x -> exp e = powerRZ x k.
Proof.
  intros X ->. rewrite powerRZ_Rpower by exact X. reflexivity.
Qed.
Lemma difference_is x y k : (x - y = k -> x = y + k)%Z.
Proof. lia. Qed.
Lemma powerRZ_opposite u z : u <> 0 -> powerRZ u (- z) = / powerRZ u z.
Proof. intros U. rewrite powerRZ_neg, powerRZ_inv by exact U. reflexivity. Qed.
Lemma powerRZ_exp x k : powerRZ (exp x) k = exp (IZR k * x).
Proof. symmetry. apply exp_power; [apply exp_pos|]. rewrite ln_exp. reflexivity. Qed.

(* Agreement: a stream may be replaced by what it is at some positions, on the names that are read. *)
Definition agree (n : nat) (at_position : nat -> Prop) (names : list string) (x y : stream) : Prop :=
  forall i, (i < n)%nat -> at_position i -> forall name, In name names -> x i name = y i name.
Definition everywhere (i : nat) : Prop := True.
Definition columns (W : matrix) : list string := flat_map (fun named => map fst (snd named)) W.
Definition reads (s : sublayer) : list string :=
  match computes s with
  | Attention heads => flat_map (fun h => columns (W_Q h) ++ columns (W_K h) ++ columns (W_V h))%list heads
  | FeedForward f => columns (weights (first f))
  end.
Definition subset (a b : list string) : bool := forallb (fun name => existsb (String.eqb name) b) a.

Lemma subset_incl a b : subset a b = true -> incl a b.
Proof.
  intros H name I. unfold subset in H. rewrite forallb_forall in H. apply H, existsb_exists in I.
  destruct I as (other & I & E). apply String.eqb_eq in E. subst. exact I.
Qed.
Lemma dot_ext s x y : (forall c, In c (map fst s) -> x c = y c) -> dot s x = dot s y.
Proof. induction s as [|[c v] s IH]; intros H; cbn in *; [reflexivity|]. rewrite IH, (H c); auto. Qed.
Lemma apply_ext W x y name : (forall c, In c (columns W) -> x c = y c) -> apply W x name = apply W y name.
Proof.
  intros H. unfold apply. apply dot_ext. intros c I. apply H. clear H. unfold columns.
  induction W as [|[other s] W IH]; cbn in *; [easy|]. apply in_or_app. destruct (String.eqb name other); auto.
Qed.
Lemma affine_ext L x y name : (forall c, In c (columns (weights L)) -> x c = y c) -> affine L x name = affine L y name.
Proof. intros H. unfold affine. f_equal. apply apply_ext, H. Qed.
Lemma inner_ext rows q q' k k' : (forall c, q c = q' c) -> (forall c, k c = k' c) -> inner rows q k = inner rows q' k'.
Proof. intros H G. induction rows as [|[name s] rows IH]; cbn [inner]; [reflexivity|]. rewrite H, G, IH. reflexivity. Qed.
Lemma score_ext h x x' y y' : (forall c, In c (columns (W_Q h)) -> x c = x' c) ->
  (forall c, In c (columns (W_K h)) -> y c = y' c) -> score h x y = score h x' y'.
Proof.
  intros H G. unfold score. rewrite (inner_ext _ _ (apply (W_Q h) x') _ (apply (W_K h) y')); [reflexivity|..];
  intros c; apply apply_ext; auto.
Qed.
Lemma value_ext h x y name : (forall c, In c (columns (W_V h)) -> x c = y c) -> value h x name = value h y name.
Proof.
  intros H. unfold value. destruct (W_O h) as [W|]; [|apply apply_ext, H].
  unfold apply at 1 3. apply dot_ext. intros c _. apply apply_ext, H.
Qed.
Lemma mean_ext count a a' v v' : (forall j, (j < count)%nat -> a j = a' j) ->
  (forall j, (j < count)%nat -> v j = v' j) -> mean count a v = mean count a' v'.
Proof. intros H G. unfold mean. f_equal; apply sum_ext; intros; rewrite ?H, ?G; auto. Qed.
Lemma seen_within m n i : (i < n)%nat -> (seen m n i <= n)%nat.
Proof. destruct m; cbn; lia. Qed.
Lemma attend_ext h n x y i name : (i < n)%nat ->
  (forall j, (j < n)%nat -> forall c, In c (columns (W_Q h) ++ columns (W_K h) ++ columns (W_V h))%list -> x j c = y j c) ->
  attend h n x i name = attend h n y i name.
Proof.
  intros I H. pose proof (seen_within (masked h) n i I). unfold attend. cbv zeta. apply mean_ext; intros j J.
  - apply weight_ext; [exact J|]. intros k K. apply score_ext; intros c C; apply H; try lia; rewrite !in_app_iff; auto.
  - apply value_ext. intros c C. apply H; [lia|]. rewrite !in_app_iff. auto.
Qed.
Lemma normed_ext names norm x y name : (forall c, In c names -> x c = y c) -> In name names ->
  normed names norm x name = normed names norm y name.
Proof.
  intros H I. assert (T : forall f g part, incl part names -> (forall c, In c names -> f c = g c) -> total part f = total part g).
  { intros f g part. induction part as [|c part IH]; intros P E; cbn [total]; [reflexivity|].
    rewrite IH, (E c); auto; [apply P; cbn; auto|]. intros c' C'. apply P. cbn. auto. }
  destruct norm as [epsilon|]; cbn [normed]; [|auto]. unfold deviation, average.
  assert (A : total names x = total names y) by (apply T; auto using incl_refl). rewrite (H name I), A.
  assert (B : total names (fun c => square (x c - total names y / size names))
    = total names (fun c => square (y c - total names y / size names))).
  { apply T; [apply incl_refl|]. intros c C. rewrite (H c C). reflexivity. }
  rewrite B. reflexivity.
Qed.
(* What a sublayer computes from closed forms is what it computes: attention reads all positions, a feed-forward network
   its own alone. *)
Definition suffices (s : sublayer) (at_position : nat -> Prop) : nat -> Prop :=
  match computes s with Attention _ => everywhere | FeedForward _ => at_position end.
Lemma update_agrees names s n P x y : subset (reads s) names = true -> agree n (suffices s P) names x y ->
  agree n P names (update s n x) (update s n y).
Proof.
  intros S H i I Hi name N. apply subset_incl in S. unfold update. unfold suffices, reads in *. destruct (computes s) as [heads|f].
  - f_equal; [destruct (residual s); [apply H; unfold everywhere; auto|reflexivity]|].
    revert S. induction heads as [|h heads IH]; intros S; cbn [attend_all]; [reflexivity|].
    rewrite IH; [|intros c C; apply S; cbn; apply in_or_app; auto]. f_equal. apply attend_ext; [exact I|].
    intros j J c C. apply H; unfold everywhere; auto. apply S. cbn. apply in_or_app. auto.
  - f_equal; [destruct (residual s); [apply H; auto|reflexivity]|]. unfold feed, affine. f_equal. unfold apply at 1 3.
    apply dot_ext. intros c _. f_equal. f_equal. apply apply_ext. intros c' C'. apply H; auto.
Qed.
Lemma after_agrees names s n P x y : subset (reads s) names = true -> agree n (suffices s P) names x y ->
  agree n P names (after names s n x) (after names s n y).
Proof.
  intros S H i I Hi name N. unfold after. apply normed_ext; [|exact N]. intros c C. apply (update_agrees names s n P); auto.
Qed.
Lemma agree_trans n P names x y z : agree n P names x y -> agree n P names y z -> agree n P names x z.
Proof. intros H G i I Hi name N. rewrite H, G; auto. Qed.
Lemma agree_at n (P Q : nat -> Prop) names x y : (forall i, (i < n)%nat -> P i -> Q i) -> agree n Q names x y ->
  agree n P names x y.
Proof. intros H G i I Hi. apply G; auto. Qed.
Lemma affine_agrees n P names L x y i name : agree n P names x y -> subset (columns (weights L)) names = true ->
  (i < n)%nat -> P i -> affine L (x i) name = affine L (y i) name.
Proof. intros H S I Hi. apply affine_ext. intros c C. apply H; auto. apply (subset_incl _ _ S), C. Qed.
(* The positions that are read. *)
Definition is_first (i : nat) : Prop := i = O.
Definition is_last (n i : nat) : Prop := S i = n.
(* Absolute values, by the sign of what is in them. *)
Ltac by_sizes :=
  repeat match goal with |- context [Rabs ?x] => destruct (Rcase_abs x); [rewrite (Rabs_left x) by assumption|
    rewrite (Rabs_right x) by assumption] end.
(* What need not be shown to be positive, as it is known to be, or was tried in vain. *)
Definition tried (x : R) : Prop := True.
Ltac known_positive x := lazymatch goal with H : 0 < x |- _ => fail | H : tried x |- _ => fail | _ => idtac end.
Ltac in_vain x := assert (tried x) by exact Logic.I.
Ltac look_again := repeat match goal with H : tried _ |- _ => clear H end.
Ltac powers_positive := repeat match goal with |- context [exp ?x] => known_positive (exp x); pose proof (exp_pos x) end.
Ltac positive_base := first [apply exp_pos | lra].
