"use strict";

// What is wider than its frame is moved with the keyboard, too: a frame that hides something can be reached.
function reachable() {
  for (const frame of document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap, .md-typeset__table")) {
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
  }
}

window.addEventListener("load", reachable);
window.addEventListener("resize", reachable);
