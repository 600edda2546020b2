// Empty. This target exists only for the compiler flags that pkg-config gives; CSecret includes libsecret's headers
// itself.
