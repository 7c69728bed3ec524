(* What a transformer encoder computes, over the real numbers: everything that has to be read in order to know what is
   proved. Positions count from 0. A vector has named coordinates, and a matrix is a table of named rows: what is absent
   from a table is 0. Any weight may depend on the number of positions. *)
Require Import Reals ZArith List String Bool.
Import ListNotations.
Open Scope string_scope.
Open Scope R_scope.

(* Vectors and tables. *)
Definition vector := string -> R.
Definition stream := nat -> vector. (* position -> vector *)
Definition sparse := list (string * R).
Definition matrix := list (string * sparse). (* row -> column -> weight *)

Fixpoint entry (s : sparse) (name : string) : R :=
  match s with [] => 0 | (other, x) :: rest => if String.eqb name other then x else entry rest name end.
Fixpoint row (W : matrix) (name : string) : sparse :=
  match W with [] => [] | (other, s) :: rest => if String.eqb name other then s else row rest name end.
Fixpoint dot (s : sparse) (x : vector) : R :=
  match s with [] => 0 | (name, weight) :: rest => weight * x name + dot rest x end.
Definition apply (W : matrix) (x : vector) : vector := fun name => dot (row W name) x.

Record linear := { weights : matrix; bias : sparse }.
Definition affine (L : linear) (x : vector) : vector := fun name => apply (weights L) x name + entry (bias L) name.

(* What weights and encodings are written in, beside +, -, *, /, exp, ln, sqrt and cos: [x = y] is 1 or 0, x mod y for
   integers, and x to an integer power. *)
Definition holds {P Q : Prop} (decided : {P} + {Q}) : R := if decided then 1 else 0.
Definition is_less (x y : R) : R := holds (Rlt_dec x y).
Definition is_at_most (x y : R) : R := holds (Rle_dec x y).
Definition is_equal (x y : R) : R := holds (Req_EM_T x y).
Definition modulo (x y : R) : R := IZR (Int_part x mod Int_part y).
Definition power (x y : R) : R := powerRZ x (Int_part y).

(* Sums over the first positions. *)
Fixpoint sum (count : nat) (f : nat -> R) : R := (* f 0 + ... + f (count - 1) *)
  match count with O => 0 | S before => sum before f + f before end.
Fixpoint maximum (count : nat) (f : nat -> R) : R := (* the greatest of f 0, ..., f (count - 1) *)
  match count with O => 0 | 1%nat => f O | S before => Rmax (maximum before f) (f before) end.

(* Attention: each position that is seen has a score, of which the weights are made, and a value; what is added is the
   mean of the values by these weights. *)
Inductive scoring := Dot | Less_size. (* q.k, or -|q.k| *)
Inductive normaliser := Softmax | Hardmax. (* exp of the scores, or 1 where the score is greatest *)
Inductive mask := Unmasked | Causal. (* all positions are seen, or those up to the own one *)
Record head := {
  W_Q : matrix; W_K : matrix; W_V : matrix; W_O : option matrix;
  scored : scoring; scale : R; normalise : normaliser; masked : mask }.

Definition seen (m : mask) (n i : nat) : nat := match m with Unmasked => n | Causal => S i end.
Fixpoint inner (rows : matrix) (q k : vector) : R := (* q.k over the names of rows *)
  match rows with [] => 0 | (name, _) :: rest => q name * k name + inner rest q k end.
Definition score (h : head) (x y : vector) : R := (* that x gives to y *)
  let product := inner (W_Q h) (apply (W_Q h) x) (apply (W_K h) y) in
  scale h * match scored h with Dot => product | Less_size => - Rabs product end.
Definition weight (kind : normaliser) (count : nat) (scores : nat -> R) (j : nat) : R :=
  match kind with Softmax => exp (scores j) | Hardmax => is_at_most (maximum count scores) (scores j) end.
Definition value (h : head) (x : vector) : vector :=
  match W_O h with None => apply (W_V h) x | Some W => apply W (apply (W_V h) x) end.
Definition mean (count : nat) (by_weight values : nat -> R) : R :=
  sum count (fun j => by_weight j * values j) / sum count by_weight.
Definition attend (h : head) (n : nat) (x : stream) (i : nat) : vector := fun name =>
  let count := seen (masked h) n i in
  mean count (weight (normalise h) count (fun j => score h (x i) (x j))) (fun j => value h (x j) name).
Fixpoint attend_all (heads : list head) (n : nat) (x : stream) (i : nat) : vector := fun name =>
  match heads with [] => 0 | h :: rest => attend h n x i name + attend_all rest n x i name end.

(* Feed-forward networks: second(activation(first(x))). *)
Definition relu (x : R) : R := Rmax 0 x.
Definition saturated_linear (x : R) : R := Rmin 1 (Rmax 0 x).
Definition step (x : R) : R := is_less 0 x.
Definition square (x : R) : R := x * x.
Record feed_forward := { first : linear; second : linear; activation : R -> R }.
Definition feed (f : feed_forward) (x : vector) : vector :=
  affine (second f) (fun unit => activation f (affine (first f) x unit)).

(* Layer normalisation with gain 1 and bias 0, over all the coordinates. Without epsilon a vector whose coordinates are
   all equal has no image: see has_value. *)
Definition size (names : list string) : R := IZR (Z.of_nat (List.length names)).
Fixpoint total (names : list string) (x : vector) : R :=
  match names with [] => 0 | name :: rest => x name + total rest x end.
Definition average (names : list string) (x : vector) : R := total names x / size names.
Definition deviation (names : list string) (epsilon : R) (x : vector) : R :=
  sqrt (average names (fun name => square (x name - average names x)) + epsilon).
Definition normed (names : list string) (norm : option R) (x : vector) : vector := fun name =>
  match norm with None => x name | Some epsilon => (x name - average names x) / deviation names epsilon x end.

(* A sublayer: what it computes, whether that is added to what was there, and its norm, if any. *)
Inductive computation := Attention (heads : list head) | FeedForward (f : feed_forward).
Record sublayer := { computes : computation; residual : bool; norm : option R }.
Definition update (s : sublayer) (n : nat) (x : stream) (i : nat) : vector := fun name =>
  (if residual s then x i name else 0)
  + match computes s with Attention heads => attend_all heads n x i name | FeedForward f => feed f (x i) name end.
Definition after (names : list string) (s : sublayer) (n : nat) (x : stream) : stream := fun i =>
  normed names (norm s) (update s n x i).
Fixpoint after_all (names : list string) (sublayers : list sublayer) (n : nat) (x : stream) : stream :=
  match sublayers with [] => x | s :: rest => after_all names rest n (after names s n x) end.

(* An encoder. *)
Inductive place := First | Last | Sum. (* read at the first position, the last one, or all of them, summed *)
Record encoder := {
  coordinates : list string;
  word_embedding : matrix; (* token -> coordinate -> weight *)
  position_encoding : R -> sparse; (* position -> coordinate -> weight *)
  sublayers : list sublayer;
  readout : linear;
  read_at : place }.
Definition network := R -> encoder. (* number of positions -> encoder *)

Definition size_of (tokens : list string) : R := IZR (Z.of_nat (List.length tokens)).
Definition embed (net : encoder) (tokens : list string) : stream := fun i name =>
  entry (row (word_embedding net) (nth i tokens "")) name + entry (position_encoding net (IZR (Z.of_nat i))) name.
Definition last_stream (N : network) (tokens : list string) : stream :=
  let net := N (size_of tokens) in
  after_all (coordinates net) (sublayers net) (List.length tokens) (embed net tokens).
Definition output (N : network) (tokens : list string) (name : string) : R :=
  let net := N (size_of tokens) in
  let at_position i := affine (readout net) (last_stream N tokens i) name in
  match read_at net with
  | First => at_position O
  | Last => at_position (List.length tokens - 1)%nat
  | Sum => sum (List.length tokens) at_position
  end.

(* Whether a network has a value: no norm meets a vector that has no image, where that is seen by attention in a later
   sublayer, or read. *)
Definition is_read (where_ : place) (n i : nat) : Prop :=
  match where_ with First => i = O | Last => S i = n | Sum => True end.
Definition attends (s : sublayer) : Prop := match computes s with Attention _ => True | FeedForward _ => False end.
Definition has_image (names : list string) (s : sublayer) (n : nat) (x : stream) (i : nat) : Prop :=
  match norm s with None => True | Some epsilon => deviation names epsilon (update s n x i) <> 0 end.
Fixpoint all_images (names : list string) (sublayers : list sublayer) (where_ : place) (n : nat) (x : stream) : Prop :=
  match sublayers with
  | [] => True
  | s :: rest => (forall i, (i < n)%nat -> Exists attends rest \/ is_read where_ n i -> has_image names s n x i)
      /\ all_images names rest where_ n (after names s n x)
  end.
Definition has_value (N : network) (tokens : list string) : Prop :=
  let net := N (size_of tokens) in
  all_images (coordinates net) (sublayers net) (read_at net) (List.length tokens) (embed net tokens).

(* What a network does. *)
Definition accepts_above_0 (N : network) (tokens : list string) : Prop := output N tokens "logit" > 0.
Definition accepts_at_0 (N : network) (tokens : list string) : Prop := output N tokens "logit" = 0.
Definition predicts (N : network) (tokens : list string) (names : list string) (token : string) : Prop :=
  exists before behind, names = (before ++ token :: behind)%list (* the first of the greatest outputs *)
    /\ (forall other, In other before -> output N tokens other < output N tokens token)
    /\ (forall other, In other behind -> output N tokens other <= output N tokens token).
