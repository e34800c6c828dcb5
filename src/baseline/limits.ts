/** A change below both of these is none that anybody would notice, however sharply it was measured. */
export const leastChange = { ofFigure: 0.2, ofPods: 0.05 };
/** A range wider than both of these could hide what a change of strategy gives: the window was too short, or pods were not seen. */
export const sharp = { ofFigure: 0.4, ofPods: 0.2 };
/** A pod is called hot from this ratio of its share to the mean on (as in the limits of the verdict). */
export const hotPeak = 1.5;
/** What so many times the events would leave open is left open by the earlier run, or by pods that were not seen. */
export const mostTimes = 1000;
