"use strict";

// Frames of wide things, on the pages of networks and papers and on those of the manual, whose theme names its own.
const FRAMES = ".wide, .md-typeset pre > code, .md-typeset__scrollwrap, .md-typeset__table";

// What is wider than its frame is moved with the keyboard, too: a frame that hides something can be reached.
function reachable() {
  for (const frame of document.querySelectorAll(FRAMES)) {
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
  }
}

window.addEventListener("load", reachable);
window.addEventListener("resize", reachable);
