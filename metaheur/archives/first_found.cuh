struct FirstFound : FirstFoundData {};
