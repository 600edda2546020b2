// Only here for the flags that pkg-config gives: CHTML includes libxml2's headers itself, and Swift sees none of them.
