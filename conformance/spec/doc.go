// Package spec is what the documents demand of a monolock server and of a
// client, as data: one [Requirement] for each demand, with an [ID] that never
// changes.
//
// Scenarios, reports and the exit code speak in these IDs. Each ID is a typed
// constant (S_Q_02 is "S-Q-02"), so that an unknown one does not compile.
//
// The requirements stand in a file for each topic, in the order of the
// catalogue. They are checked when the program starts. A catalogue with a
// double ID, an empty sentence, an unknown level or a missing source stops it.
//
// Where the documents are silent or at odds, nothing is judged. [OpenPoints]
// lists these places, and [Untestable] what no test from outside can show.
package spec
