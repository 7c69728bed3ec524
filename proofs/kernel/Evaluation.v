(* The output of an encoder on a word, and whether it has a value there, computed in exact numbers. That what is
   computed is what `Transformer.v` defines is proved here; so a claim about a word is checked by computing. *)
Require Import Reals ZArith QArith List String Bool Lra Lia.
From Weightproof Require Import Transformer Sums Numbers.
Import ListNotations.
Open Scope string_scope.
Open Scope R_scope.

(* Scalars, as they are written: of a position i and the number n of positions. *)
Inductive function := Exponential | Logarithm | Root_of | Cosine | Sine. (* the last two of so many half turns *)
Inductive operation := Plus | Minus | Times | Over | Modulo | Power | Less | At_most | Equal.
Inductive scalar :=
  | Position | Count | Integer (z : Z) | Negated (x : scalar) | Natural_power (x : scalar) (k : nat)
  | Function (f : function) (x : scalar) | Operation (o : operation) (x y : scalar).
Definition operate (o : operation) : R -> R -> R :=
  match o with
  | Plus => Rplus | Minus => Rminus | Times => Rmult | Over => Rdiv | Modulo => modulo | Power => power
  | Less => is_less | At_most => is_at_most | Equal => is_equal
  end.
Fixpoint denoted (i n : R) (x : scalar) : R :=
  match x with
  | Position => i
  | Count => n
  | Integer z => IZR z
  | Negated x => - denoted i n x
  | Natural_power x k => denoted i n x ^ k
  | Function f x =>
      match f with
      | Exponential => exp (denoted i n x) | Logarithm => ln (denoted i n x) | Root_of => sqrt (denoted i n x)
      | Cosine => cos (PI * denoted i n x) | Sine => sin (PI * denoted i n x)
      end
  | Operation o x y => operate o (denoted i n x) (denoted i n y)
  end.
Definition compute_operation (o : operation) : number -> number -> option number :=
  match o with
  | Plus => add | Minus => subtract | Times => multiply | Over => divide | Modulo => remainder | Power => integer_power
  | Less => less | At_most => at_most | Equal => equal
  end.
Definition compute_function (f : function) : number -> option number :=
  match f with
  | Exponential => exponential | Logarithm => logarithm | Root_of => square_root | Cosine => cosine | Sine => sine
  end.
Definition compute_negated (x : option number) : option number := option_map negate x.
Fixpoint compute (i n : number) (x : scalar) : option number :=
  match x with
  | Position => Some i
  | Count => Some n
  | Integer z => Some (integer z)
  | Negated x => compute_negated (compute i n x)
  | Natural_power x k => lift (fun x => natural_power x k) (compute i n x)
  | Function f x => lift (compute_function f) (compute i n x)
  | Operation o x y => lift2 (compute_operation o) (compute i n x) (compute i n y)
  end.
Lemma compute_operation_means o : forall x y r s, is x r -> is y s -> means (compute_operation o x y) (operate o r s).
Proof.
  destruct o; intros; cbn [compute_operation operate]; [apply add_means|apply subtract_means|apply multiply_means|
    apply divide_means|apply remainder_means|apply integer_power_means|apply less_means|apply at_most_means|
    apply equal_means]; assumption.
Qed.
Lemma compute_negated_means x r : means x r -> means (compute_negated x) (- r).
Proof. intros X. destruct x; [|discriminate]. apply means_some, negate_is. now apply X. Qed.
Lemma compute_means i n I N : is i I -> is n N -> forall x, means (compute i n x) (denoted I N x).
Proof.
  intros Hi Hn. induction x; cbn [compute denoted].
  - now apply means_some.
  - now apply means_some.
  - apply means_some, integer_is.
  - now apply compute_negated_means.
  - apply (lift_means _ (fun x => x ^ k)); [|assumption]. intros. now apply natural_power_means.
  - destruct f; cbn [compute_function]; [apply lift_means|apply lift_means|apply lift_means|
      apply (lift_means _ (fun x => cos (PI * x)))|apply (lift_means _ (fun x => sin (PI * x)))];
      try assumption; intros.
    + now apply exponential_means.
    + now apply logarithm_means.
    + now apply square_root_means.
    + now apply cosine_means.
    + now apply sine_means.
  - apply lift2_means; try assumption. apply compute_operation_means.
Qed.

(* The parts of an encoder with such scalars. *)
Definition row_of_scalars := list (string * scalar).
Definition rows := list (string * row_of_scalars).
Record written_linear := { its_weights : rows; its_bias : row_of_scalars }.
Record written_head := {
  its_Q : rows; its_K : rows; its_V : rows; its_O : option rows;
  its_scoring : scoring; its_scale : scalar; its_normaliser : normaliser; its_mask : mask }.
Inductive unit_kind := Relu | Saturated_linear | Step | Square.
Record written_feed_forward := { its_first : written_linear; its_second : written_linear; its_units : unit_kind }.
Inductive written_computation :=
  | Written_attention (heads : list written_head) | Written_feed_forward (f : written_feed_forward).
Record written_sublayer := { it_computes : written_computation; its_residual : bool; its_norm : option scalar }.
Record written := {
  its_coordinates : list string;
  its_words : rows;
  its_positions : row_of_scalars;
  its_sublayers : list written_sublayer;
  its_readout : written_linear;
  its_place : place }.

Section Denoted.
Variables i n : R.
Definition sparse_of (s : row_of_scalars) : sparse := List.map (fun '(name, x) => (name, denoted i n x)) s.
Definition matrix_of (W : rows) : matrix := List.map (fun '(name, s) => (name, sparse_of s)) W.
Definition linear_of (L : written_linear) : linear :=
  {| weights := matrix_of (its_weights L); bias := sparse_of (its_bias L) |}.
Definition head_of (h : written_head) : head := {|
  W_Q := matrix_of (its_Q h); W_K := matrix_of (its_K h); W_V := matrix_of (its_V h);
  W_O := match its_O h with None => None | Some W => Some (matrix_of W) end;
  scored := its_scoring h; scale := denoted i n (its_scale h); normalise := its_normaliser h; masked := its_mask h |}.
Definition activation_of (units : unit_kind) : R -> R :=
  match units with Relu => relu | Saturated_linear => saturated_linear | Step => step | Square => square end.
Definition feed_forward_of (f : written_feed_forward) : feed_forward :=
  {| first := linear_of (its_first f); second := linear_of (its_second f); activation := activation_of (its_units f) |}.
Definition sublayer_of (s : written_sublayer) : sublayer := {|
  computes := match it_computes s with
    | Written_attention heads => Attention (List.map head_of heads)
    | Written_feed_forward f => FeedForward (feed_forward_of f)
    end;
  residual := its_residual s;
  norm := match its_norm s with None => None | Some x => Some (denoted i n x) end |}.
End Denoted.
Definition encoder_of (net : written) (n : R) : encoder := {|
  coordinates := its_coordinates net;
  word_embedding := matrix_of 0 n (its_words net);
  position_encoding := fun i => sparse_of i n (its_positions net);
  sublayers := List.map (sublayer_of 0 n) (its_sublayers net);
  readout := linear_of 0 n (its_readout net);
  read_at := its_place net |}.

(* What is computed of a vector, by name, and of a stream, by position. *)
Definition found := string -> option number.
Definition stands_for (X : found) (x : vector) : Prop := forall name, means (X name) (x name).
Definition table := list (string * number).
Fixpoint look_up (t : table) (name : string) : option number :=
  match t with [] => None | (other, x) :: rest => if String.eqb name other then Some x else look_up rest name end.
Fixpoint tabulate (X : found) (names : list string) : option table :=
  match names with
  | [] => Some []
  | name :: rest => then_ (X name) (fun x => option_map (cons (name, x)) (tabulate X rest))
  end.
Lemma tabulate_stands_for X names t x : tabulate X names = Some t -> stands_for X x -> stands_for (look_up t) x.
Proof.
  intros T H. revert t T. induction names as [|name names IH]; cbn [tabulate]; intros t T.
  - apply some_equal in T. subst t. intros name y. discriminate.
  - destruct (X name) as [y|] eqn:E; [|discriminate]. cbn [then_] in T. destruct (tabulate X names) as [rest|];
      [|discriminate].
    cbn [option_map] in T. apply some_equal in T. subst t. intros other. cbn [look_up].
    destruct (String.eqb_spec other name) as [->|]; [rewrite <- E; apply H|now apply IH].
Qed.
Fixpoint collect {A} (count : nat) (f : nat -> A) : list A :=
  match count with O => [] | S before => (collect before f ++ [f before])%list end.
Lemma collect_nth {A} count (f : nat -> A) j a : nth_error (collect count f) j = Some a -> a = f j.
Proof.
  assert (L : forall count, List.length (collect count f) = count).
  { clear. induction count as [|count IH]; cbn [collect]; [reflexivity|]. rewrite app_length, IH. cbn. lia. }
  induction count as [|count IH]; cbn [collect]; [now destruct j|]. intros N.
  destruct (Nat.lt_ge_cases j count) as [J|J]; [rewrite nth_error_app1 in N by (now rewrite L); now apply IH|].
  rewrite nth_error_app2, L in N by (now rewrite L). destruct (j - count)%nat as [|m] eqn:D; cbn in N.
  - apply some_equal in N. subst a. f_equal. lia.
  - now destruct m.
Qed.
(* At a position of a list of what may be unknown. *)
Definition known {A} (l : list (option A)) (j : nat) : option A := then_ (nth_error l j) (fun a => a).
Lemma known_collect {A} count (f : nat -> option A) j a : known (collect count f) j = Some a -> f j = Some a.
Proof.
  unfold known. destruct (nth_error (collect count f) j) as [b|] eqn:E; [|discriminate]. apply collect_nth in E. now
      subst b.
Qed.
Lemma known_means count f g : (forall j, means (f j) (g j)) -> forall j, means (known (collect count f) j) (g j).
Proof. intros H j x E. apply known_collect in E. now apply (H j). Qed.
(* Where a norm has no value, or none that is known, there is no table. *)
Definition tables := list (option table).
Definition at_position (known_tables : tables) (j : nat) : found := fun name => then_ (known known_tables j) (fun t =>
    look_up t name).
Definition stands_for_stream (X : tables) (x : stream) : Prop := forall j, stands_for (at_position X j) (x j).
Lemma collect_stands_for count f x : (forall j t, f j = Some t -> stands_for (look_up t) (x j)) ->
  stands_for_stream (collect count f) x.
Proof.
  intros H j name. unfold at_position. destruct (known (collect count f) j) as [t|] eqn:E; [|discriminate]. cbn [then_].
  apply H. now apply known_collect in E.
Qed.

Definition plus : option number -> option number -> option number := lift2 add.
Definition minus : option number -> option number -> option number := lift2 subtract.
Definition times : option number -> option number -> option number := lift2 multiply.
Definition over : option number -> option number -> option number := lift2 divide.
Lemma plus_means x y r s : means x r -> means y s -> means (plus x y) (r + s).
Proof. apply lift2_means, add_means. Qed.
Lemma minus_means x y r s : means x r -> means y s -> means (minus x y) (r - s).
Proof. apply lift2_means, subtract_means. Qed.
Lemma times_means x y r s : means x r -> means y s -> means (times x y) (r * s).
Proof. apply lift2_means, multiply_means. Qed.
Lemma over_means x y r s : means x r -> means y s -> means (over x y) (r / s).
Proof. apply lift2_means, divide_means. Qed.
Definition integral (z : Z) : option number := Some (integer z).
Lemma integral_means z : means (integral z) (IZR z).
Proof. apply means_some, integer_is. Qed.

Section Computed.
Variables (i n : number) (I N : R).
Hypotheses (position_is : is i I) (count_is : is n N).

Fixpoint compute_entry (s : row_of_scalars) (name : string) : option number :=
  match s with
  | [] => integral 0
  | (other, x) :: rest => if String.eqb name other then compute i n x else compute_entry rest name
  end.
Lemma compute_entry_means s name : means (compute_entry s name) (entry (sparse_of I N s) name).
Proof.
  induction s as [|[other x] s IH]; cbn [compute_entry sparse_of List.map entry]; [apply integral_means|].
  destruct (String.eqb name other); [now apply compute_means|exact IH].
Qed.
Fixpoint row_of (W : rows) (name : string) : row_of_scalars :=
  match W with [] => [] | (other, s) :: rest => if String.eqb name other then s else row_of rest name end.
Lemma row_of_matrix W name : row (matrix_of I N W) name = sparse_of I N (row_of W name).
Proof.
  induction W as [|[other s] W IH]; cbn [row_of matrix_of List.map row]; [reflexivity|].
  destruct (String.eqb name other); [reflexivity|exact IH].
Qed.
Fixpoint compute_dot (s : row_of_scalars) (X : found) : option number :=
  match s with [] => integral 0 | (name, x) :: rest => plus (times (compute i n x) (X name)) (compute_dot rest X) end.
Lemma compute_dot_means s X x : stands_for X x -> means (compute_dot s X) (dot (sparse_of I N s) x).
Proof.
  intros H. induction s as [|[name y] s IH]; cbn [compute_dot sparse_of List.map dot]; [apply integral_means|].
  apply plus_means; [apply times_means; [now apply compute_means|apply H]|exact IH].
Qed.
Definition compute_apply (W : rows) (X : found) : found := fun name => compute_dot (row_of W name) X.
Lemma compute_apply_stands_for W X x : stands_for X x -> stands_for (compute_apply W X) (apply (matrix_of I N W) x).
Proof. intros H name. unfold apply, compute_apply. rewrite row_of_matrix. now apply compute_dot_means. Qed.
Definition compute_affine (L : written_linear) (X : found) : found := fun name =>
  plus (compute_apply (its_weights L) X name) (compute_entry (its_bias L) name).
Lemma compute_affine_stands_for L X x : stands_for X x -> stands_for (compute_affine L X) (affine (linear_of I N L) x).
Proof.
  intros H name. apply plus_means; [now apply compute_apply_stands_for|apply compute_entry_means].
Qed.

(* Sums over positions. *)
Fixpoint compute_sum (count : nat) (f : nat -> option number) : option number :=
  match count with O => integral 0 | S before => plus (compute_sum before f) (f before) end.
Lemma compute_sum_means count f g : (forall j, means (f j) (g j)) -> means (compute_sum count f) (sum count g).
Proof.
  intros H. induction count as [|count IH]; cbn [compute_sum sum]; [apply integral_means|]. now apply plus_means.
Qed.
Fixpoint compute_maximum (count : nat) (f : nat -> option number) : option number :=
  match count with O => integral 0 | 1%nat => f O | S before => lift2 greater_of (compute_maximum before f) (f before)
      end.
Lemma compute_maximum_means count f g : (forall j, means (f j) (g j)) -> means (compute_maximum count f) (maximum count
    g).
Proof.
  intros H. induction count as [|[|count] IH]; [apply integral_means|apply H|].
  change (means (lift2 greater_of (compute_maximum (S count) f) (f (S count))) (Rmax (maximum (S count) g) (g (S
      count)))).
  apply lift2_means; [apply greater_of_means|exact IH|apply H].
Qed.

(* Attention. *)
Fixpoint compute_inner (names : rows) (q k : found) : option number :=
  match names with [] => integral 0 | (name, _) :: rest => plus (times (q name) (k name)) (compute_inner rest q k) end.
Lemma compute_inner_means names q k x y : stands_for q x -> stands_for k y ->
  means (compute_inner names q k) (inner (matrix_of I N names) x y).
Proof.
  intros Q K. induction names as [|[name s] names IH]; cbn [compute_inner matrix_of List.map inner]; [apply
      integral_means|].
  apply plus_means; [apply times_means; [apply Q|apply K]|exact IH].
Qed.
Definition compute_score (h : written_head) (X Y : found) : option number :=
  let product := compute_inner (its_Q h) (compute_apply (its_Q h) X) (compute_apply (its_K h) Y) in
  times (compute i n (its_scale h))
    match its_scoring h with Dot => product | Less_size => lift (fun x => less_of x (negate x)) product end.
Lemma compute_score_means h X Y x y : stands_for X x -> stands_for Y y ->
  means (compute_score h X Y) (score (head_of I N h) x y).
Proof.
  intros HX HY. unfold compute_score, score. apply times_means; [now apply compute_means|]. cbn [head_of scored].
  assert (P := compute_inner_means (its_Q h) _ _ _ _ (compute_apply_stands_for (its_Q h) X x HX)
    (compute_apply_stands_for (its_K h) Y y HY)).
  destruct (its_scoring h); [exact P|]. apply (lift_means _ (fun r => - Rabs r)); [|exact P].
  intros z r Z. replace (- Rabs r) with (Rmin r (- r))
    by (unfold Rmin, Rabs; destruct (Rle_dec r (- r)), (Rcase_abs r); lra).
  apply less_of_means; [assumption|now apply negate_is].
Qed.
Definition compute_weights (kind : normaliser) (count : nat) (scores : nat -> option number) : list (option number) :=
  match kind with
  | Softmax => collect count (fun j => lift exponential (scores j))
  | Hardmax => let greatest := compute_maximum count scores in collect count (fun j => lift2 at_most greatest (scores
      j))
  end.
Lemma compute_weights_means kind count f g : (forall j, means (f j) (g j)) ->
  forall j, means (known (compute_weights kind count f) j) (weight kind count g j).
Proof.
  intros H. destruct kind; cbn [compute_weights weight]; apply known_means; intros j.
  - apply lift_means; [apply exponential_means|apply H].
  - apply lift2_means; [apply at_most_means|now apply compute_maximum_means|apply H].
Qed.
Definition compute_value (h : written_head) (X : found) : found :=
  match its_O h with None => compute_apply (its_V h) X | Some W => compute_apply W (compute_apply (its_V h) X) end.
Lemma compute_value_stands_for h X x : stands_for X x -> stands_for (compute_value h X) (value (head_of I N h) x).
Proof.
  intros H. unfold compute_value, value. cbn [head_of W_O W_V].
  destruct (its_O h); repeat apply compute_apply_stands_for; exact H.
Qed.
(* The weights are computed once, and not for each name again. *)
Definition compute_attend (h : written_head) (count : nat) (X : tables) (j : nat) : found :=
  let count := seen (its_mask h) count j in
  let scores := collect count (fun k => compute_score h (at_position X j) (at_position X k)) in
  let weights := compute_weights (its_normaliser h) count (known scores) in
  let weight_of_all := compute_sum count (known weights) in
  fun name => over (compute_sum count (fun k => times (known weights k) (compute_value h (at_position X k) name)))
      weight_of_all.
Lemma compute_attend_stands_for h count X x j : stands_for_stream X x ->
  stands_for (compute_attend h count X j) (attend (head_of I N h) count x j).
Proof.
  intros H name. unfold compute_attend, attend. cbv zeta. cbn [head_of masked normalise].
  assert (W : forall k, means (known (compute_weights (its_normaliser h) (seen (its_mask h) count j) (known (collect
    (seen (its_mask h) count j) (fun k => compute_score h (at_position X j) (at_position X k))))) k) (weight
        (its_normaliser h)
    (seen (its_mask h) count j) (fun k => score (head_of I N h) (x j) (x k)) k)).
  { apply compute_weights_means, known_means. intros k. apply compute_score_means; apply H. }
  unfold mean. apply over_means; apply compute_sum_means; [|exact W]. intros k.
  apply times_means; [apply W|]. apply compute_value_stands_for, H.
Qed.
Fixpoint compute_attend_all (heads : list written_head) (count : nat) (X : tables) (j : nat) : found :=
  match heads with
  | [] => fun _ => integral 0
  | h :: rest =>
      let first := compute_attend h count X j in let others := compute_attend_all rest count X j in
      fun name => plus (first name) (others name)
  end.
Lemma compute_attend_all_stands_for heads count X x j : stands_for_stream X x ->
  stands_for (compute_attend_all heads count X j) (attend_all (List.map (head_of I N) heads) count x j).
Proof.
  intros H. induction heads as [|h heads IH]; intros name; cbn [compute_attend_all List.map attend_all].
  - apply integral_means.
  - apply plus_means; [now apply compute_attend_stands_for|apply IH].
Qed.

(* Feed-forward networks. *)
Definition compute_activation (units : unit_kind) : number -> option number :=
  match units with
  | Relu => greater_of (integer 0)
  | Saturated_linear => fun x => lift (less_of (integer 1)) (greater_of (integer 0) x)
  | Step => less (integer 0)
  | Square => fun x => multiply x x
  end.
Lemma compute_activation_means units x r : is x r -> means (compute_activation units x) (activation_of units r).
Proof.
  intros H. destruct units; cbn [compute_activation activation_of].
  - apply greater_of_means; [apply integer_is|assumption].
  - apply (lift_means _ (Rmin 1)); [intros; apply less_of_means; [apply integer_is|assumption]|].
    apply greater_of_means; [apply integer_is|assumption].
  - apply less_means; [apply integer_is|assumption].
  - now apply multiply_means.
Qed.
Definition compute_feed (f : written_feed_forward) (X : found) : found :=
  let units := (List.map fst (its_weights (its_first f)) ++ List.map fst (its_bias (its_first f)))%list in
  let values := tabulate (fun unit => lift (compute_activation (its_units f)) (compute_affine (its_first f) X unit))
      units in
  fun name => then_ values (fun t => compute_affine (its_second f) (look_up t) name).
Lemma compute_feed_stands_for f X x : stands_for X x -> stands_for (compute_feed f X) (feed (feed_forward_of I N f) x).
Proof.
  intros H name. unfold compute_feed. cbv zeta. destruct (tabulate _ _) as [t|] eqn:T; [|discriminate]. cbn [then_].
  unfold feed. cbn [feed_forward_of first second activation].
  apply compute_affine_stands_for. apply (tabulate_stands_for _ _ _ _ T). intros unit.
  apply lift_means; [apply compute_activation_means|]. now apply compute_affine_stands_for.
Qed.

(* Norms. *)
Fixpoint compute_total (names : list string) (X : found) : option number :=
  match names with [] => integral 0 | name :: rest => plus (X name) (compute_total rest X) end.
Lemma compute_total_means names X x : stands_for X x -> means (compute_total names X) (total names x).
Proof. intros H. induction names; cbn [compute_total total]; [apply integral_means|]. apply plus_means; [apply
    H|assumption]. Qed.
Definition compute_average (names : list string) (X : found) : option number :=
  over (compute_total names X) (integral (Z.of_nat (List.length names))).
Lemma compute_average_means names X x : stands_for X x -> means (compute_average names X) (average names x).
Proof. intros H. apply over_means; [now apply compute_total_means|apply integral_means]. Qed.
Definition compute_deviation (names : list string) (epsilon : option number) (X : found) (average : option number) :
    option number :=
  lift square_root (plus (compute_average names (fun name => lift (fun x => multiply x x) (minus (X name) average)))
      epsilon).
Lemma compute_deviation_means names e epsilon X x m : stands_for X x -> means e epsilon -> means m (average names x) ->
  means (compute_deviation names e X m) (deviation names epsilon x).
Proof.
  intros H E M. apply lift_means; [apply square_root_means|]. apply plus_means; [|assumption].
  apply compute_average_means. intros name. apply (lift_means _ square); [intros; now apply multiply_means|].
  apply minus_means; [apply H|assumption].
Qed.
Definition compute_normed (names : list string) (norm : option scalar) (X : found) : option table :=
  then_ (tabulate X names) (fun t =>
    match norm with
    | None => Some t
    | Some epsilon =>
        then_ (compute_average names (look_up t)) (fun m =>
          then_ (compute_deviation names (compute i n epsilon) (look_up t) (Some m)) (fun d =>
            tabulate (fun name => over (minus (look_up t name) (Some m)) (Some d)) names))
    end).
Lemma compute_normed_stands_for names norm X x t : stands_for X x -> compute_normed names norm X = Some t ->
  stands_for (look_up t) (normed names (match norm with None => None | Some e => Some (denoted I N e) end) x).
Proof.
  intros H. unfold compute_normed. destruct (tabulate X names) as [before|] eqn:T; [|discriminate]. cbn [then_].
  pose proof (tabulate_stands_for _ _ _ _ T H) as B. destruct norm as [e|].
  - destruct (compute_average names (look_up before)) as [m|] eqn:M; [|discriminate]. cbn [then_].
    assert (M' : means (Some m) (average names x)) by (rewrite <- M; now apply compute_average_means).
    destruct (compute_deviation _ _ _ _) as [d|] eqn:D; [|discriminate]. cbn [then_].
    assert (D' : means (Some d) (deviation names (denoted I N e) x)).
    { rewrite <- D. apply compute_deviation_means; [assumption|now apply compute_means|assumption]. }
    intros E. apply (tabulate_stands_for _ _ _ _ E). intros name. unfold normed.
    apply over_means; [apply minus_means; [apply B|assumption]|assumption].
  - intros E. apply some_equal in E. now subst t.
Qed.

(* Sublayers. *)
Definition compute_update (s : written_sublayer) (count : nat) (X : tables) (j : nat) : found :=
  let computed := match it_computes s with
    | Written_attention heads => compute_attend_all heads count X j
    | Written_feed_forward f => compute_feed f (at_position X j)
    end in
  fun name => plus (if its_residual s then at_position X j name else integral 0) (computed name).
Lemma compute_update_stands_for s count X x j : stands_for_stream X x ->
  stands_for (compute_update s count X j) (update (sublayer_of I N s) count x j).
Proof.
  intros H name. unfold compute_update, update. cbn [sublayer_of computes residual]. apply plus_means.
  - destruct (its_residual s); [apply H|apply integral_means].
  - destruct (it_computes s); [now apply compute_attend_all_stands_for|apply compute_feed_stands_for, H].
Qed.
Definition compute_after (names : list string) (s : written_sublayer) (count : nat) (X : tables) : tables :=
  collect count (fun j => compute_normed names (its_norm s) (compute_update s count X j)).
Lemma compute_after_stands_for names s count X x : stands_for_stream X x ->
  stands_for_stream (compute_after names s count X) (after names (sublayer_of I N s) count x).
Proof. intros H. apply collect_stands_for. intros j t. now apply compute_normed_stands_for, compute_update_stands_for.
    Qed.
Fixpoint compute_after_all (names : list string) (sublayers : list written_sublayer) (count : nat) (X : tables) :
    tables :=
  match sublayers with [] => X | s :: rest => compute_after_all names rest count (compute_after names s count X) end.
Lemma compute_after_all_stands_for names sublayers count : forall X x, stands_for_stream X x ->
  stands_for_stream (compute_after_all names sublayers count X)
    (after_all names (List.map (sublayer_of I N) sublayers) count x).
Proof.
  induction sublayers as [|s sublayers IH]; cbn [compute_after_all List.map after_all]; intros X x H; [assumption|].
  now apply IH, compute_after_stands_for.
Qed.

(* Whether no norm meets a vector without an image. *)
Definition both (p q : option bool) : option bool :=
  match p, q with Some false, _ | _, Some false => Some false | Some true, Some true => Some true | _, _ => None end.
Definition tells (p : option bool) (P : Prop) : Prop := match p with Some true => P | Some false => ~ P | None => True
    end.
Lemma both_tells p q P Q : tells p P -> tells q Q -> tells (both p q) (P /\ Q).
Proof. destruct p as [[]|], q as [[]|]; cbn; tauto. Qed.
Fixpoint every (count : nat) (p : nat -> option bool) : option bool :=
  match count with O => Some true | S before => both (every before p) (p before) end.
Lemma every_tells count p P : (forall j, (j < count)%nat -> tells (p j) (P j)) ->
  tells (every count p) (forall j, (j < count)%nat -> P j).
Proof.
  intros H. induction count as [|count IH]; cbn [every]; [cbn; lia|].
  assert (B : tells (both (every count p) (p count)) ((forall j, (j < count)%nat -> P j) /\ P count))
    by (apply both_tells; [apply IH; intros; apply H; lia|apply H; lia]).
  assert (E : (forall j, (j < S count)%nat -> P j) <-> (forall j, (j < count)%nat -> P j) /\ P count).
  { split; [auto|]. intros [A L] j J. destruct (Nat.eq_dec j count) as [->|]; [assumption|apply A; lia]. }
  destruct (both _ _) as [[]|]; cbn in *; tauto.
Qed.
Definition nonzero (x : option number) : option bool :=
  then_ x (fun x => option_map (fun c => match c with Eq => false | _ => true end) (sign x)).
Lemma nonzero_tells x r : means x r -> tells (nonzero x) (r <> 0).
Proof.
  intros H. unfold nonzero. destruct x as [x|]; [|exact Logic.I]. cbn [then_].
  destruct (sign x) as [c|] eqn:S; [|exact Logic.I]. apply (sign_is _ _ _ (H x eq_refl)) in S.
  destruct c; cbn in *; lra.
Qed.
Definition compute_has_image (names : list string) (s : written_sublayer) (count : nat) (X : tables) (j : nat) : option
    bool :=
  match its_norm s with
  | None => Some true
  | Some epsilon =>
      then_ (tabulate (compute_update s count X j) names) (fun t =>
        nonzero (compute_deviation names (compute i n epsilon) (look_up t) (compute_average names (look_up t))))
  end.
Lemma compute_has_image_tells names s count X x j : stands_for_stream X x ->
  tells (compute_has_image names s count X j) (has_image names (sublayer_of I N s) count x j).
Proof.
  intros H. unfold compute_has_image, has_image. cbn [sublayer_of norm]. destruct (its_norm s) as [e|]; [|exact
      Logic.I].
  destruct (tabulate _ names) as [t|] eqn:T; [|exact Logic.I]. cbn [then_]. apply nonzero_tells.
  pose proof (tabulate_stands_for _ _ _ _ T (compute_update_stands_for s count X x j H)) as U.
  apply compute_deviation_means; [assumption|now apply compute_means|now apply compute_average_means].
Qed.
Definition it_attends (s : written_sublayer) : bool :=
  match it_computes s with Written_attention _ => true | Written_feed_forward _ => false end.
Definition it_is_read (where_ : place) (count j : nat) : bool :=
  match where_ with First => Nat.eqb j 0 | Last => Nat.eqb (S j) count | Sum => true end.
Lemma it_attends_value sublayers :
  existsb it_attends sublayers = true <-> Exists attends (List.map (sublayer_of I N) sublayers).
Proof.
  rewrite existsb_exists, Exists_exists. split; intros (s & M & A).
  - exists (sublayer_of I N s). split; [now apply in_map|]. unfold attends, it_attends, sublayer_of in *. cbn
      [computes].
    now destruct (it_computes s).
  - apply in_map_iff in M. destruct M as (t & <- & M). exists t. split; [assumption|].
    unfold attends, it_attends, sublayer_of in *. cbn [computes] in A. now destruct (it_computes t).
Qed.
Lemma it_is_read_value where_ count j : it_is_read where_ count j = true <-> is_read where_ count j.
Proof. destruct where_; cbn [it_is_read is_read]; rewrite ?Nat.eqb_eq; easy. Qed.
Fixpoint compute_all_images (names : list string) (sublayers : list written_sublayer) (where_ : place) (count : nat) (X
    : tables)
  : option bool :=
  match sublayers with
  | [] => Some true
  | s :: rest =>
      both (every count (fun j => if existsb it_attends rest || it_is_read where_ count j then compute_has_image names
          s count X j
          else Some true))
        (compute_all_images names rest where_ count (compute_after names s count X))
  end.
Lemma compute_all_images_tells names sublayers where_ count : forall X x, stands_for_stream X x ->
  tells (compute_all_images names sublayers where_ count X)
    (all_images names (List.map (sublayer_of I N) sublayers) where_ count x).
Proof.
  induction sublayers as [|s sublayers IH]; cbn [compute_all_images List.map all_images]; intros X x H; [exact
      Logic.I|].
  apply both_tells; [|now apply IH, compute_after_stands_for].
  apply every_tells. intros j J. pose proof (compute_has_image_tells names s count X x j H) as D.
  pose proof (it_attends_value sublayers) as A. pose proof (it_is_read_value where_ count j) as R.
  destruct (existsb it_attends sublayers), (it_is_read where_ count j); cbn [orb];
    try (destruct (compute_has_image names s count X j) as [[]|]; cbn in *; tauto).
  cbn. intuition discriminate.
Qed.
End Computed.

(* Encoders. *)
Definition compute_embed (net : written) (tokens : list string) (n : number) : tables :=
  collect (List.length tokens) (fun j =>
    tabulate (fun name => plus (compute_entry (integer 0) n (row_of (its_words net) (nth j tokens "")) name)
      (compute_entry (integer (Z.of_nat j)) n (its_positions net) name)) (its_coordinates net)).
Lemma compute_embed_stands_for net tokens n N : is n N ->
  stands_for_stream (compute_embed net tokens n) (embed (encoder_of net N) tokens).
Proof.
  intros H. apply collect_stands_for. intros j t T. apply (tabulate_stands_for _ _ _ _ T).
  intros name. unfold embed. cbn [encoder_of word_embedding position_encoding]. rewrite row_of_matrix.
  apply plus_means; apply compute_entry_means; try assumption; apply integer_is.
Qed.
Definition compute_output (net : written) (tokens : list string) (name : string) : option number :=
  let count := List.length tokens in
  let n := integer (Z.of_nat count) in
  let X := compute_after_all (integer 0) n (its_coordinates net) (its_sublayers net) count (compute_embed net tokens n)
      in
  let read j := compute_affine (integer 0) n (its_readout net) (at_position X j) name in
  match its_place net with First => read O | Last => read (count - 1)%nat | Sum => compute_sum count read end.
Lemma compute_output_means net tokens name : means (compute_output net tokens name) (output (encoder_of net) tokens
    name).
Proof.
  pose proof (integer_is (Z.of_nat (List.length tokens))) as L. fold (size_of tokens) in L. pose proof (integer_is 0)
      as O.
  unfold compute_output, output, last_stream. cbv zeta. cbn [encoder_of coordinates sublayers readout read_at].
  pose proof (compute_after_all_stands_for _ _ _ _ O L (its_coordinates net) (its_sublayers net) (List.length tokens) _
      _
    (compute_embed_stands_for net tokens _ _ L)) as X.
  assert (R : forall j, means (compute_affine (integer 0) (integer (Z.of_nat (List.length tokens))) (its_readout net)
      (at_position
    (compute_after_all (integer 0) (integer (Z.of_nat (List.length tokens))) (its_coordinates net) (its_sublayers net)
    (List.length tokens) (compute_embed net tokens (integer (Z.of_nat (List.length tokens))))) j) name)
    (affine (linear_of 0 (size_of tokens) (its_readout net)) (after_all (its_coordinates net) (List.map (sublayer_of 0
    (size_of tokens)) (its_sublayers net)) (List.length tokens) (embed (encoder_of net (size_of tokens)) tokens) j)
        name))
    by (intros j; apply compute_affine_stands_for; auto).
  destruct (its_place net); [apply R|apply R|now apply compute_sum_means].
Qed.
Definition compute_has_value (net : written) (tokens : list string) : option bool :=
  let count := List.length tokens in
  let n := integer (Z.of_nat count) in
  compute_all_images (integer 0) n (its_coordinates net) (its_sublayers net) (its_place net) count (compute_embed net
      tokens n).
Lemma compute_has_value_tells net tokens : tells (compute_has_value net tokens) (has_value (encoder_of net) tokens).
Proof.
  pose proof (integer_is (Z.of_nat (List.length tokens))) as L. fold (size_of tokens) in L. pose proof (integer_is 0)
      as O.
  unfold compute_has_value, has_value. cbv zeta. cbn [encoder_of coordinates sublayers read_at].
  exact (compute_all_images_tells _ _ _ _ O L (its_coordinates net) (its_sublayers net) (its_place net) (List.length
      tokens)
    _ _ (compute_embed_stands_for net tokens _ _ L)).
Qed.

(* Whether an output is a value; None where that is not seen. *)
Definition is_output (net : written) (tokens : list string) (name : string) (value : scalar) : option bool :=
  option_map negb (nonzero (minus (compute_output net tokens name) (compute (integer 0) (integer 0) value))).
Theorem output_is (N : network) net : N = encoder_of net -> forall tokens name value,
  is_output net tokens name value = Some true -> output N tokens name = denoted 0 0 value.
Proof.
  intros -> tokens name value. unfold is_output. pose proof (integer_is 0) as O.
  pose proof (nonzero_tells _ _ (minus_means _ _ _ _ (compute_output_means net tokens name)
    (compute_means _ _ _ _ O O value))) as H.
  destruct (nonzero _) as [[]|]; cbn in *; try discriminate. intros _. lra.
Qed.
Theorem value_is (N : network) net : N = encoder_of net -> forall tokens,
  compute_has_value net tokens = Some true -> has_value N tokens.
Proof. intros -> tokens E. pose proof (compute_has_value_tells net tokens) as H. now rewrite E in H. Qed.
Theorem value_is_not (N : network) net : N = encoder_of net -> forall tokens,
  compute_has_value net tokens = Some false -> ~ has_value N tokens.
Proof. intros -> tokens E. pose proof (compute_has_value_tells net tokens) as H. now rewrite E in H. Qed.

(* Reading a network, and a value, from their definitions: i and n are the variables that stand for the position and the
   number of positions; tt where there is none. *)
Ltac read_scalar i n x :=
  let again := read_scalar i n in
  lazymatch x with
  | IZR ?z => constr:(Integer z)
  | (if ?b then ?x else ?y) =>
      let b := eval vm_compute in b in lazymatch b with true => again x | false => again y end
  | - ?x => let x := again x in constr:(Negated x)
  | ?x ^ ?k => let x := again x in constr:(Natural_power x k)
  | exp ?x => let x := again x in constr:(Function Exponential x)
  | ln ?x => let x := again x in constr:(Function Logarithm x)
  | sqrt ?x => let x := again x in constr:(Function Root_of x)
  | cos (PI * ?x) => let x := again x in constr:(Function Cosine x)
  | sin (PI * ?x) => let x := again x in constr:(Function Sine x)
  | ?x + ?y => let x := again x in let y := again y in constr:(Operation Plus x y)
  | ?x - ?y => let x := again x in let y := again y in constr:(Operation Minus x y)
  | ?x * ?y => let x := again x in let y := again y in constr:(Operation Times x y)
  | ?x / ?y => let x := again x in let y := again y in constr:(Operation Over x y)
  | modulo ?x ?y => let x := again x in let y := again y in constr:(Operation Modulo x y)
  | power ?x ?y => let x := again x in let y := again y in constr:(Operation Power x y)
  | is_less ?x ?y => let x := again x in let y := again y in constr:(Operation Less x y)
  | is_at_most ?x ?y => let x := again x in let y := again y in constr:(Operation At_most x y)
  | is_equal ?x ?y => let x := again x in let y := again y in constr:(Operation Equal x y)
  | _ => match x with
         | _ => let same := match goal with _ => constr_eq x i end in constr:(Position)
         | _ => let same := match goal with _ => constr_eq x n end in constr:(Count)
         | _ => fail 1 "no scalar:" x
         end
  end.
Ltac read_list kind reading l :=
  let l := eval hnf in l in
  lazymatch l with
  | nil => constr:(@nil kind)
  | ?a :: ?rest => let a := reading a in let rest := read_list kind reading rest in constr:(a :: rest)
  end.
Ltac read_row i n s :=
  let entry a := lazymatch a with (?name, ?x) => let x := read_scalar i n x in constr:((name, x)) end in
  read_list constr:((string * scalar)%type) entry s.
Ltac read_rows i n W :=
  let entry a := lazymatch a with (?name, ?s) => let s := read_row i n s in constr:((name, s)) end in
  read_list constr:((string * row_of_scalars)%type) entry W.
Ltac read_linear n L :=
  let L := eval hnf in L in
  lazymatch L with Build_linear ?W ?b => let W := read_rows tt n W in let b := read_row tt n b in
      constr:(Build_written_linear W b) end.
Ltac read_head n h :=
  let h := eval hnf in h in
  lazymatch h with Build_head ?Q ?K ?V ?O ?score ?x ?kind ?mask =>
    let Q := read_rows tt n Q in let K := read_rows tt n K in let V := read_rows tt n V in
    let O := lazymatch O with None => constr:(@None rows) | Some ?W => let W := read_rows tt n W in constr:(Some W) end
        in
    let x := read_scalar tt n x in
    constr:(Build_written_head Q K V O score x kind mask)
  end.
Ltac read_feed_forward n f :=
  let f := eval hnf in f in
  lazymatch f with Build_feed_forward ?first ?second ?units =>
    let first := read_linear n first in let second := read_linear n second in
    let units := lazymatch units with
      | relu => constr:(Relu) | saturated_linear => constr:(Saturated_linear) | step => constr:(Step) | square =>
          constr:(Square)
      end in
    constr:(Build_written_feed_forward first second units)
  end.
Ltac read_sublayer n s :=
  let s := eval hnf in s in
  lazymatch s with Build_sublayer ?computed ?residual ?norm =>
    let computed := lazymatch computed with
      | Attention ?heads =>
          let heads := read_list written_head ltac:(fun h => read_head n h) heads in constr:(Written_attention heads)
      | FeedForward ?f => let f := read_feed_forward n f in constr:(Written_feed_forward f)
      end in
    let norm := lazymatch norm with
      | None => constr:(@None scalar) | Some ?x => let x := read_scalar tt n x in constr:(Some x) end in
    constr:(Build_written_sublayer computed residual norm)
  end.
Ltac read_encoder n net :=
  let net := eval hnf in net in
  lazymatch net with Build_encoder ?names ?words ?positions ?sublayers ?readout ?place =>
    let words := read_rows tt n words in
    let positions := constr:(fun i : R => ltac:(
      let row := eval cbv beta in (positions i) in let row := read_row i n row in exact row)) in
    let positions := lazymatch positions with fun _ => ?row => row end in
    let sublayers := read_list written_sublayer ltac:(fun s => read_sublayer n s) sublayers in
    let readout := read_linear n readout in
    constr:(Build_written names words positions sublayers readout place)
  end.
Ltac read_network N :=
  let net := constr:(fun n : R => ltac:(let net := read_encoder n constr:(N n) in exact net)) in
  lazymatch net with fun _ => ?net => exact net end.
(* By [reads : N = encoder_of net]: what an output is, and whether there is one. *)
Ltac by_computing reads :=
  lazymatch goal with
  | |- output ?N ?tokens ?name = ?x =>
      let x := read_scalar tt tt x in
      refine (output_is N _ reads tokens name x _); vm_cast_no_check (eq_refl (Some true))
  | |- has_value ?N ?tokens => refine (value_is N _ reads tokens _); vm_cast_no_check (eq_refl (Some true))
  | |- ~ has_value ?N ?tokens => refine (value_is_not N _ reads tokens _); vm_cast_no_check (eq_refl (Some false))
  end.
(* Whether that is true, printed: unknown, where it cannot be computed. *)
Ltac verdict reads :=
  let net := lazymatch type of reads with _ = encoder_of ?net => net end in
  let told := lazymatch goal with
    | |- output ?N ?tokens ?name = ?x => let x := read_scalar tt tt x in constr:(is_output net tokens name x)
    | |- has_value ?N ?tokens => constr:(compute_has_value net tokens)
    | |- ~ has_value ?N ?tokens => constr:(option_map negb (compute_has_value net tokens))
    end in
  let told := eval vm_compute in told in
  lazymatch told with
  | Some true => idtac "verdict: true"
  | Some false => idtac "verdict: false"
  | None => idtac "verdict: unknown"
  end.
