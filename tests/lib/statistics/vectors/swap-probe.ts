/** Pairs shown in both orders; computed with another program and rounded to ten digits. */
export const SWAP_PROBES = [
  {
    first_place_wins_both: 12,
    second_place_wins_both: 2,
    consistent: 86,
    position_p: 0.007385253906,
    consistency: 0.86,
    interval: [0.7786281179, 0.9147365634],
  },
  {
    first_place_wins_both: 5,
    second_place_wins_both: 5,
    consistent: 40,
    position_p: 1.0,
    consistency: 0.8,
    interval: [0.6696289407, 0.8875624998],
  },
  {
    first_place_wins_both: 0,
    second_place_wins_both: 0,
    consistent: 30,
    position_p: 1.0,
    consistency: 1.0,
    interval: [0.8864866068, 1.0],
  },
  {
    first_place_wins_both: 30,
    second_place_wins_both: 10,
    consistent: 60,
    position_p: 0.001450491014,
    consistency: 0.6,
    interval: [0.5020025868, 0.6905987136],
  },
] as const
