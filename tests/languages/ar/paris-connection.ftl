pc-red = أحمر
