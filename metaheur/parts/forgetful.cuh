struct Forgetful : ForgetfulData { static constexpr bool forbids = false; };
