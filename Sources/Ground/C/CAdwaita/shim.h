// Empty. This target exists only for the compiler flags that pkg-config gives; CWindow includes libadwaita's headers
// itself.
