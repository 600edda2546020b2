// Only here for the flags that pkg-config gives: CSecret includes libsecret's headers itself.
