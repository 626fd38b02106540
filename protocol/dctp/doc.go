// Package dctp speaks DCTP, the dark chess text protocol of the NTPU client: a
// request carries the fixed number of its command, the reply the same number.
//
//	7 reset_board          =7
//	15 time_settings 900000 =15
//	14 ready               =14
//	12 genmove unknown     =12 b7 b7
//	11 flip b7 M           =11
//	16 time_left red 899000 =16
//
// Engines dispatch on the number and print whatever they like between a request
// and its reply. genmove changes nothing: the engine's own ply comes back to it
// like the opponent's.
//
// Sources: the manual of the client (December 2019), transcripts of its servers,
// public engines.
package dctp
